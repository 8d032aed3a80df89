import type { WaitingWire } from "#lib/tasks/workspace/schema.ts";
import { read } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";

/** The tasks that wait for the connected identity, earliest deadline first. */
export const useWaiting = () =>
  useResource<WaitingWire>("waiting", () => read<WaitingWire>("jobs/waiting.php"), { everySeconds: 20 });

/** How many tasks wait for the connected identity; 0 until that is known. */
export function useWaitingCount(): number {
  return useWaiting().body?.waiting.length ?? 0;
}
