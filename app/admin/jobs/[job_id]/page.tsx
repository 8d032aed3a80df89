import { subjectHref } from "#components/admin/audit-words.ts";
import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { readEventsAbout } from "#lib/admin/page-reads/audit.ts";
import { findJob, type ListedJob } from "#lib/admin/page-reads/queue.ts";
import { JobId } from "#lib/admin/schema.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";
import { AdminPage } from "../../admin-page.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";

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

/** Retries a job, or removes it from the queue; neither is possible while it runs. */
function JobActs({ job }: { job: ListedJob | null }) {
  return (
    <Acts>
      {job === null ? <p>There is nothing left to do.</p> : null}
      {job?.state === "running" ? <p>Running. Reload the page to see the result.</p> : null}
      {job && job.state !== "running" ? (
        <>
          <Act
            act="retry_job"
            title="Retry"
            send={`Retry ${job.task}`}
            about={{ job_id: job.id }}
            done="The job will be retried in a moment."
          >
            <p>It runs as soon as a worker is free. Its attempts are counted from zero again.</p>
          </Act>
          <Act
            act="remove_job"
            title="Remove"
            send={`Remove ${job.task}`}
            about={{ job_id: job.id }}
            question={{
              title: `Remove ${job.task} ${job.id}${job.key ? ` (${job.key})` : ""}?`,
              action: "Remove this job",
              text: `${LOSS[job.task] ?? LOST} You cannot undo this.`,
            }}
            done="The job is removed."
          >
            <p>{LOSS[job.task] ?? LOST}</p>
          </Act>
        </>
      ) : null}
    </Acts>
  );
}

const LOST = "The job’s work will not be done.";
const LOSS: Record<string, string> = {
  "recheck-domain": "The domain will not be checked again until someone checks it by hand.",
  "expire-tasks": "Nothing is lost: the job is scheduled again within a minute.",
};
