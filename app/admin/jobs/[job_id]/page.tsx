import { subjectHref } from "#components/admin/audit-words.ts";
import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { readEventsAbout } from "#lib/admin/page-reads/audit.ts";
import { findJob, type ListedJob } from "#lib/admin/page-reads/queue.ts";
import { JobId } from "#lib/admin/schema.ts";
import { AdminPage } from "../../admin-page.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";
import { JobActs } from "./job-acts.tsx";

/** A job, or the audit trail's entries about one that is no longer in the queue. */
async function findTraces(jobId: string) {
  const [job, events] = await Promise.all([findJob(jobId), readEventsAbout([jobId])]);
  return job || events.length > 0 ? { job, events } : undefined;
}

const { load, generateMetadata } = subjectPage(
  "job_id",
  JobId,
  findTraces,
  ({ job }, id) => `${job?.task ?? "Job"} ${id} · Background jobs`,
);

export { generateMetadata };

export default async function JobPage(props: SubjectProps) {
  const { found, id } = await load(props);
  const { job, events } = found;
  return (
    <AdminPage at="/admin/jobs" within title={`${job?.task ?? "Job"} ${id}`}>
      {job ? <JobFacts job={job} /> : <p className="text-17">This job was completed or removed from the queue.</p>}
      <Part ruled id="acts" title="Decisions">
        {/* Rendered in the same place before and after, so that the outcome of the act stays on the page. */}
        <JobActs job={job ?? null} />
      </Part>
      <AuditTrail events={events} />
    </AdminPage>
  );
}

/** The audit trail's subject kind for each ID in a job's payload. */
const KINDS: Record<string, string> = {
  public_id: "identity",
  payment_id: "payment",
  settlement_id: "settlement",
  event_id: "stripe_event",
};

function PayloadValue({ kind, value }: { kind: string | undefined; value: unknown }) {
  if (!kind || typeof value !== "string") return <code className="break-all">{JSON.stringify(value)}</code>;
  return (
    <Link href={subjectHref(kind, value)}>
      <code className="break-all">{value}</code>
    </Link>
  );
}

function JobFacts({ job }: { job: ListedJob }) {
  return (
    <>
      <Facts>
        <Fact term="State">
          <StateLabel kind="job" state={job.state} />
        </Fact>
        <Fact term="Attempts">
          {job.attempts} of {job.maxAttempts}
        </Fact>
        <TimeFact term={job.state === "running" ? "Running since" : "Scheduled for"} at={job.lockedAt ?? job.runAt} />
        <TimeFact term="Created" at={job.createdAt} />
        {job.key ? (
          <Fact term="Key">
            <code className="break-all">{job.key}</code>
          </Fact>
        ) : null}
        {Object.entries(job.payload ?? {}).map(([key, value]) => (
          <Fact key={key} term={key.replaceAll("_", " ")}>
            <PayloadValue kind={KINDS[key]} value={value} />
          </Fact>
        ))}
      </Facts>
      {job.lastError ? (
        <Part ruled id="error" title="Last error">
          <pre className="whitespace-pre-wrap border-rule border-s-2 ps-4 [overflow-wrap:anywhere]">
            {job.lastError}
          </pre>
        </Part>
      ) : null}
    </>
  );
}
