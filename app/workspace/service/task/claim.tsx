import type { z } from "zod";
import { RefusalNote } from "#components/form/refusal.tsx";
import type { TaskAnswer } from "#lib/tasks/schema.ts";
import { useSend } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { giveTask, refreshTask } from "./task-resource.ts";

/** Claiming can be taken back, and so asks nothing. `unseen` is for a task that shows itself only to those who have it. */
export function Claim({ taskId, unseen = false }: { taskId: string; unseen?: boolean }) {
  const { pending, refusal, send } = useSend();

  async function claim() {
    const outcome = await send(() => write<z.output<typeof TaskAnswer>>("jobs/claim.php", { task_id: taskId }));
    if (outcome?.ok) giveTask(outcome.body.task);
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
        {unseen ? "Claim it unseen" : "Claim"}
      </button>
      {refusal ? <RefusalNote refusal={refusal} /> : null}
    </div>
  );
}

/** A task that is not shown to this identity: it is not there, or unlisted and not yet claimed. */
export function UnseenTask({ taskId }: { taskId: string }) {
  return (
    <div className="space-y-4">
      <p className="max-w-measure text-17">
        No such task is shown to this identity. If its requester gave you the ID of an unlisted task, you can claim it
        unseen: once it is yours you read it, and can give it back.
      </p>
      <Claim taskId={taskId} unseen />
    </div>
  );
}
