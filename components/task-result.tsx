import type { TaskWire } from "#lib/tasks/schema.ts";
import { CriteriaResults } from "./agreement/criteria.tsx";
import { Copyable } from "./copyable.tsx";
import { Fact, Facts } from "./facts.tsx";
import { NamedFiles } from "./named-files.tsx";
import { PostText } from "./post-text/post-text.tsx";
import { UserText } from "./user-text/user-text.tsx";

/** What a provider submitted: what the service found in it, its text, and what belongs to it. Nothing before the first submission. */
export function TaskResult({
  task,
  withReason = false,
  withChecks = true,
}: {
  task: TaskWire;
  withReason?: boolean;
  /** What the service found; not where the criteria stand beside the result. */
  withChecks?: boolean;
}) {
  if (!task.result) return null;
  const { result_url: url, evidence_hash: hash, changes_reason: reason, result_files: files } = task;
  return (
    <>
      {withChecks ? <CriteriaResults task={task} /> : null}
      <div className="text-17">
        <PostText text={task.result} />
      </div>
      {url || hash || files || (withReason && reason) ? (
        <Facts className="mt-4">
          {url ? (
            <Fact term="Result URL">
              <Copyable value={url} label="address of the result" whole />
            </Fact>
          ) : null}
          {files ? (
            <Fact term="Files">
              <NamedFiles files={files} />
            </Fact>
          ) : null}
          {hash ? (
            <Fact term="Evidence hash">
              <Copyable value={hash} label="evidence hash" whole />
              <p className="text-13 text-muted">
                Proves only that the evidence is unchanged, not that the result is correct.
              </p>
            </Fact>
          ) : null}
          {withReason && reason ? (
            <Fact term="Changes requested">
              <UserText text={reason} />
            </Fact>
          ) : null}
        </Facts>
      ) : null}
    </>
  );
}
