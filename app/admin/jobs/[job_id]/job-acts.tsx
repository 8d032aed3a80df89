import type { ListedJob } from "#lib/admin/pages/jobs.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";

/** Run it again, or take it out of the queue; nothing while it runs. */
export function JobActs({ job }: { job: ListedJob | null }) {
  return (
    <Acts>
      {job === null ? <p>There is nothing left to decide.</p> : null}
      {job?.state === "running" ? <p>It runs at this moment. Load the page anew to see what came of it.</p> : null}
      {job && job.state !== "running" ? (
        <>
          <Act
            act="retry_job"
            title="Try again now"
            send={`Run ${job.task} again`}
            fields={{ job_id: job.id }}
            done="The job is planned for now."
          >
            <p>It runs as soon as a worker is free, with all of its attempts before it.</p>
          </Act>
          <Act
            act="remove_job"
            title="Remove"
            send={`Remove ${job.task}`}
            fields={{ job_id: job.id }}
            question={{
              title: `Remove ${job.task} ${job.id}${job.key ? ` (${job.key})` : ""}?`,
              action: "Remove this job",
              text: `${LOSS[job.task] ?? "What it would have done is not done."} It cannot be put back.`,
            }}
            done="The job is removed."
          >
            <p>{LOSS[job.task] ?? "What it would have done is not done."}</p>
          </Act>
        </>
      ) : null}
    </Acts>
  );
}

const LOSS: Record<string, string> = {
  "recheck-domain": "The domain is not checked again until somebody checks it by hand.",
  "expire-tasks": "Nothing is lost: the next one comes within a minute.",
};
