import type { z } from "zod";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { showTask } from "#lib/tasks/read.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { Places } from "./places.ts";
import type { WaitInput } from "./schema.ts";
import { requireStillAdmitted } from "./still-admitted.ts";
import { isTailOpen } from "./tail.ts";
import { deadlineOf, wakeUp } from "./wake-up.ts";

/** Calls that wait at the same time, of one credential and in one process. They hold without rate limits too. */
const PER_CREDENTIAL = 100;
const PER_PROCESS = 5_000;
const COME_BACK_SECONDS = 5;

const places = new Places();

const CLOSED = ["completed", "cancelled", "expired"];
/** A task that has ended is never submitted any more, so nobody waits for that. */
const ENDS = { change: [], submitted: ["submitted", ...CLOSED], closed: CLOSED } as const;

/**
 * The task once it is as the caller wants it, or has changed since the version that the caller knows, or the time is over. It is read
 * at first, after each event about it, and at the end: while nothing happens, waiting asks nobody.
 * @throws ApiError not_found, identity_suspended, rate_limited, temporarily_unavailable
 */
export async function waitForTask(ctx: ServiceContext, input: z.output<typeof WaitInput>) {
  const deadline = deadlineOf(ctx, input.seconds);
  const ends: readonly string[] = ENDS[input.until];
  const leave = takePlace(ctx.actor.id);
  const open = input.seconds > 0 && (await isTailOpen(input.seconds * 1000));
  const sleeper = open ? wakeUp(ctx.actor, { recipients: [], taskId: input.task_id, types: undefined }) : undefined;
  const read = async () => (await showTask(ctx, { task_id: input.task_id })).task;
  let known = input.after_version;
  /** The task if it is as wanted, or else until when to sleep: a sleeper keeps no more of the task. */
  const look = async (): Promise<TaskWire | number> => {
    const task = await read();
    known ??= input.until === "change" ? task.version : Number.POSITIVE_INFINITY;
    return task.version > known || ends.includes(task.state) ? task : endOf(task, deadline, ctx);
  };
  try {
    let found = await look();
    const waits = sleeper !== undefined && typeof found === "number";
    while (typeof found === "number" && sleeper && !sleeper.over && performance.now() < deadline) {
      await sleeper.woken(found);
      found = await look();
    }
    // A suspension just before this call followed events would not have ended it.
    if (waits) await requireStillAdmitted(ctx);
    return typeof found === "number" ? { task: await read(), timed_out: true } : { task: found, timed_out: false };
  } finally {
    sleeper?.end();
    leave();
  }
}

/** An open task expires at its time, for every reader and before there is an event. */
function endOf({ state, expires_at: expiresAt }: TaskWire, deadline: number, { clock }: ServiceContext): number {
  if (state !== "open") return deadline;
  return Math.min(deadline, performance.now() + Math.max(1, Date.parse(expiresAt) - clock.now().getTime()));
}

/** @returns what gives the place back */
function takePlace(caller: string): () => void {
  const details = { retryAfterSeconds: COME_BACK_SECONDS };
  if (places.of(caller) >= PER_CREDENTIAL)
    throw new ApiError("rate_limited", `A credential may have ${PER_CREDENTIAL} waiting calls at once.`, details);
  if (places.total >= PER_PROCESS)
    throw new ApiError("temporarily_unavailable", "As many calls wait as this process takes.", details);
  return places.take(caller);
}
