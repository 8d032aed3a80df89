import { useState } from "react";
import type { z } from "zod";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import type { TaskAnswer } from "#lib/tasks/schema.ts";
import { write } from "../connection/service-call.ts";
import { giveTask } from "./task-resource.ts";

/** A task that is not shown to this identity: it is not there, or unlisted and not yet claimed. */
export function UnseenTask({ taskId }: { taskId: string }) {
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  async function claim() {
    if (pending) return;
    setPending(true);
    const outcome = await write<z.output<typeof TaskAnswer>>("jobs/claim.php", { task_id: taskId });
    setPending(false);
    if (outcome.ok) giveTask(outcome.body.task);
    else setRefusal(outcome.refusal);
  }

  return (
    <div className="space-y-4">
      <p className="max-w-measure text-17">
        No such task is shown to this identity. If its requester gave you the ID of an unlisted task, you can claim it
        unseen: once it is yours you read it, and can give it back.
      </p>
      {refusal ? <RefusalNote refusal={refusal} /> : null}
      <button type="button" aria-disabled={pending || undefined} onClick={claim} className="button">
        Claim it unseen
      </button>
    </div>
  );
}
