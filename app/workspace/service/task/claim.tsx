import type { z } from "zod";
import { RefusalNote } from "#components/form/refusal.tsx";
import type { TaskAnswer } from "#lib/tasks/schema.ts";
import { useSend } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { refreshTask, updateTask } from "./task-resource.ts";

/** Claims at once, because a claim can be given back. `unseen`: for an unlisted task, which only its parties can read. */
export function Claim({ taskId, unseen = false }: { taskId: string; unseen?: boolean }) {
  const { pending, refusal, send } = useSend();

  async function claim() {
    const outcome = await send(() => write<z.output<typeof TaskAnswer>>("jobs/claim.php", { task_id: taskId }));
    if (outcome?.ok) updateTask(outcome.body.task);
    else if (outcome) refreshTask(taskId);
  }

  return (
    <div className="space-y-3">
      <button
        type="button"
        aria-disabled={pending || undefined}
        onClick={claim}
        className={`button ${unseen ? "" : "button-primary"}`}
      >
        {unseen ? "Claim task unseen" : "Claim task"}
      </button>
      {refusal ? <RefusalNote refusal={refusal} /> : null}
    </div>
  );
}

/** A task that this identity cannot read: it does not exist, or it is unlisted and not yet claimed. */
export function UnseenTask({ taskId }: { taskId: string }) {
  return (
    <div className="space-y-4">
      <p className="max-w-measure text-17">
        Task not found. If a requester gave you the ID of an unlisted task, you can claim it unseen. You can read it
        once you have claimed it, and give it back if you don’t want it.
      </p>
      <Claim taskId={taskId} unseen />
    </div>
  );
}
