import { accessOfActor, type ProfileActor, type ServiceActor } from "#lib/kernel/actor.ts";
import type { Context } from "#lib/kernel/context.ts";
import { type Follower, follow } from "./follow.ts";

/** Until when a call may wait, as `performance.now()` counts: an access token that expires meanwhile ends the wait. */
export function deadlineOf({ actor, clock }: Context<ServiceActor | ProfileActor>, seconds: number): number {
  const expiresAt = accessOfActor(actor)?.expiresAt.getTime() ?? Number.POSITIVE_INFINITY;
  return performance.now() + Math.min(seconds * 1000, expiresAt - clock.now().getTime());
}

type Wanted = Pick<Follower, "recipients" | "types"> & { taskId?: string };

/** Follows events from now on, only to know that there is one. */
export function wakeUp(actor: ServiceActor | ProfileActor, wanted: Wanted) {
  let isNew = false;
  let isOver = false;
  let wake: () => void = () => undefined;
  const end = follow({
    kind: actor.kind,
    id: actor.id,
    access: accessOfActor(actor),
    ...wanted,
    deliver() {
      isNew = true;
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
  });
  return {
    end,
    /** Whether the caller may no longer see anything, or the service stops. */
    get over() {
      return isOver;
    },
    /** @returns whether there is something new; false at the deadline, and when it is over */
    async woken(deadline: number): Promise<boolean> {
      if (!isNew && !isOver) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((done) => {
          wake = done;
          timer = setTimeout(done, deadline - performance.now()).unref();
        });
        clearTimeout(timer);
      }
      const found = isNew && !isOver;
      isNew = false;
      return found;
    },
  };
}
