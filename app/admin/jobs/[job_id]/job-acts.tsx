import type { ListedJob } from "#lib/admin/page-reads/queue.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";

/** Retries a job, or removes it from the queue; neither is possible while it runs. */
export function JobActs({ job }: { job: ListedJob | null }) {
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
