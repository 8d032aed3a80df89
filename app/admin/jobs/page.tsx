import { Link } from "#components/link.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { statesOf } from "#components/state-label/states.ts";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { countJobs, type ListedJob, listJobs } from "#lib/admin/page-reads/queue.ts";
import { JOB_STATES, JobsQuery } from "#lib/admin/schema.ts";
import { adminMetadata } from "../admin-page.tsx";
import { ListPage, type ListProps, readList } from "../list-page.tsx";

export const generateMetadata = adminMetadata("Background jobs");

const PATH = "/admin/jobs";

export default async function JobsPage(props: ListProps) {
  const { query } = await readList(JobsQuery, props);
  const [found, counts] = await Promise.all([query.input && listJobs(query.input), countJobs()]);
  return (
    <ListPage
      at={PATH}
      title="Background jobs"
      lead="Work that the service does in the background. A finished job leaves the queue; a failed one is retried at growing intervals until its attempts are used up."
      query={query}
      above={
        <p className="mb-6 flex flex-wrap gap-x-6 gap-y-1">
          {JOB_STATES.map((state) => (
            <span key={state} className="inline-flex items-baseline gap-2">
              <StateLabel kind="job" state={state} />
              <span className="tabular-nums">{counts[state].toLocaleString("en-GB")}</span>
            </span>
          ))}
        </p>
      }
      filters={[{ name: "state", label: "State", options: statesOf("job", "All unfinished") }]}
      found={found}
      empty="There are no unfinished jobs."
    >
      {(job) => <JobRow key={job.id} job={job} />}
    </ListPage>
  );
}

function JobRow({ job: { id, task, key, state, runAt, attempts, maxAttempts, lastError } }: { job: ListedJob }) {
  return (
    <li className="row admin-row">
      <Link href={`${PATH}/${id}`} className="row-link admin-title">
        {task} <span className="font-normal text-muted">{id}</span>
      </Link>
      <span className="admin-facts">
        {key ? <code>{key}</code> : null}
        <span>
          {attempts} of {maxAttempts} attempts
        </span>
        {lastError ? <span className="w-full">{lastError.split("\n", 1)[0]}</span> : null}
      </span>
      <span className="admin-marks">
        <StateLabel kind="job" state={state} />
        {state === "failed" ? null : <Timestamp at={runAt} form="moment" />}
      </span>
    </li>
  );
}
