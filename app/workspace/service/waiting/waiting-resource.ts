import type { WaitingWire } from "#lib/tasks/workspace/schema.ts";
import { ofAgent, useOwnerWaiting } from "../../waiting/owner-waiting.ts";
import { useConnection } from "../connection/connection.ts";
import { read } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";

/** The tasks that wait for the connected identity, earliest deadline first. */
export const useWaiting = (isWatched = true) =>
  useResource<WaitingWire>("waiting", () => read<WaitingWire>("jobs/waiting.php"), { everySeconds: 20 }, isWatched);

/** How much waits for the connected identity, and its first task; nothing until that is known. An owner's pages count as the inbox does. */
export function useNeeds(): { count: number; more: boolean; first: string | undefined } {
  const { door, publicId } = useConnection();
  const isOwner = door === "session";
  const own = useWaiting(!isOwner).body;
  const all = useOwnerWaiting(isOwner).body;
  if (isOwner) {
    const { count, tasks } = ofAgent(all ?? { approvals: [], tasks: [], messages: [], count: 0 }, publicId);
    return { count, more: false, first: tasks[0]?.task.task_id };
  }
  return { count: own?.waiting.length ?? 0, more: own?.more ?? false, first: own?.waiting[0]?.task.task_id };
}
