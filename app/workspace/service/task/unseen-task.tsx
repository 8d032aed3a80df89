import { Claim } from "./claim.tsx";

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
