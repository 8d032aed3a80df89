import { GuildhallError, type GuildhallEvent, type HealthStatus, type Task } from "#sdk/index.ts";
import { timed } from "./event-log.ts";
import { describe, isHopeless } from "./failure.ts";
import { judgeTask } from "./judge.ts";
import { ACTIVE, type Provider, readTask, SetAside, takeStep } from "./steps.ts";

type TaskLoop = {
  /** Does everything that is due now. @returns milliseconds until something is due again */
  turn(): Promise<number>;
  /** Looks at the event's task in the next turn, instead of waiting until that is due. */
  notice(event: Pick<GuildhallEvent, "type" | "task_id">): void;
  /** Reports to the service that this provider stops. If that fails, the last report expires. */
  leave(): Promise<void>;
};

// Only providers that report available are selected, so the first tasks arrive shortly after the first report.
const FIRST_LOOK_MS = 2_000;
const MOST_WAITING = 500;
const LOOK_MS = { least: 2_000, most: 15_000 };

/**
 * The provider's tasks, and when to look at which. The inbox is read no more often than configured, across
 * restarts too. Claimed tasks are looked at every two seconds at first, and less often while nothing happens.
 */
export function startTaskLoop(provider: Provider): TaskLoop {
  const { client, config, state, logEvent } = provider;
  const inHand = new Map<string, Task>();
  const aside = new Set<string>();
  /** Tasks that were selected for this provider since the last turn. */
  const offered = new Set<string>();
  const said = new Map<string, string>();
  const due = { all: 0, look: 0, inbox: firstInboxAt(state.read().inbox_read_at, config.inboxSeconds), health: 0 };
  let lookMs = LOOK_MS.least;
  let reported: HealthStatus | undefined;

  /** The same event about the same task is reported once. */
  const logOnce: Provider["logEvent"] = (event, details = {}) => {
    const key = String(details.task_id);
    const text = JSON.stringify([event, { ...details, ms: 0 }]);
    if (said.get(key) !== text) logEvent(event, details);
    said.set(key, text);
  };
  const quiet: Provider = {
    ...provider,
    logEvent: (event, details) => (event === "waiting" ? logOnce : logEvent)(event, details),
  };

  async function readInHand(): Promise<void> {
    const found = new Map<string, Task>();
    for (const taskState of ACTIVE) {
      for await (const task of client.jobs.mine({ role: "provider", state: taskState })) {
        if (!aside.has(task.task_id)) found.set(task.task_id, task);
      }
    }
    inHand.clear();
    for (const [taskId, task] of found) inHand.set(taskId, task);
    due.all = Date.now() + LOOK_MS.most;
  }

  async function look(): Promise<void> {
    if (Date.now() >= due.all) await readInHand();
    else for (const taskId of inHand.keys()) inHand.set(taskId, await readTask(client, taskId));
    let moved = false;
    for (const task of inHand.values()) moved = (await pursue(task)) || moved;
    lookMs = moved ? LOOK_MS.least : Math.min(LOOK_MS.most, lookMs * 1.5);
    due.look = Date.now() + lookMs;
  }

  /** Takes steps with a task until it is another party's turn. */
  async function pursue(task: Task): Promise<boolean> {
    try {
      for (let moved = false, now = task; ; moved = true) {
        const after = ACTIVE.includes(now.state) ? await takeStep(quiet, now) : undefined;
        keep(after ?? now);
        if (!after) return moved;
        now = after;
      }
    } catch (error) {
      return refuse(task, error);
    }
  }

  function keep(task: Task): void {
    if (ACTIVE.includes(task.state)) inHand.set(task.task_id, task);
    else inHand.delete(task.task_id);
  }

  /** An error with one task must not delay the others; an error with the whole service is thrown. */
  function refuse(task: Task, error: unknown): boolean {
    if (error instanceof GuildhallError) {
      if (error.retryable || error.status >= 500 || isHopeless(error)) throw error;
      // Someone else was faster: the next look shows the current state.
      if (error.code === "state_conflict" || error.code === "task_expired") return true;
    } else if (!(error instanceof SetAside)) throw error;
    aside.add(task.task_id);
    inHand.delete(task.task_id);
    logEvent("set_aside", { task_id: task.task_id, ...describe(error) });
    return true;
  }

  async function readInbox(): Promise<void> {
    state.change((all) => {
      all.inbox_read_at = new Date().toISOString();
    });
    due.inbox = Date.now() + config.inboxSeconds * 1000;
    const [waiting, ms] = await timed(readWaiting);
    // The list is newest first; the oldest is served first.
    for (const task of waiting.reverse()) {
      if (inHand.size >= config.capacity) return;
      if (!aside.has(task.task_id)) await consider(task, ms);
    }
  }

  /** What does not fit now stays in the inbox. */
  async function considerOffered(): Promise<void> {
    for (const taskId of offered) {
      offered.delete(taskId);
      if (inHand.size >= config.capacity || aside.has(taskId) || inHand.has(taskId)) continue;
      const [task, ms] = await timed(() => readTask(client, taskId));
      if (task.state === "open") await consider(task, ms);
    }
  }

  async function readWaiting(): Promise<Task[]> {
    const waiting: Task[] = [];
    for await (const task of client.jobs.inbox()) {
      if (waiting.push(task) >= MOST_WAITING) break;
    }
    return waiting;
  }

  async function consider(task: Task, inboxMs: number): Promise<void> {
    const claim = task.available_actions.find(({ action }) => action === "claim");
    const blocked = claim?.ready ? undefined : (claim?.blocked_by[0]?.reason ?? "it cannot be claimed");
    const reason = blocked ?? judgeTask(task, config.limits);
    if (reason) return logOnce("passed_over", { task_id: task.task_id, reason });
    logEvent("noticed", { task_id: task.task_id, budget_pence: task.budget_pence, ms: inboxMs });
    try {
      const [{ task: claimed }, ms] = await timed(() => client.jobs.claim({ task_id: task.task_id }));
      logEvent("claimed", { task_id: task.task_id, ms });
      inHand.set(task.task_id, claimed);
      lookMs = LOOK_MS.least;
      due.look = Date.now() + lookMs;
    } catch (error) {
      refuse(task, error);
    }
  }

  async function reportHealth(): Promise<void> {
    const status = inHand.size >= config.capacity ? "busy" : "available";
    if (status === reported && Date.now() < due.health) return;
    const [answer, ms] = await timed(() => client.agents.heartbeat({ health_status: status }));
    if (status !== reported) logEvent("health", { health_status: status, ms });
    reported = status;
    due.health = Date.now() + answer.next_in_seconds * 1000;
  }

  return {
    async turn() {
      try {
        if (Date.now() >= due.all || (inHand.size > 0 && Date.now() >= due.look)) await look();
        await reportHealth();
        await considerOffered();
        if (Date.now() >= due.inbox && inHand.size < config.capacity) await readInbox();
        await reportHealth();
      } catch (error) {
        // The outcome of an interrupted call is unknown: next time everything is read again first.
        due.all = 0;
        throw error;
      }
      const next = [due.all, due.health, ...(inHand.size > 0 ? [due.look] : [])];
      if (inHand.size < config.capacity) next.push(due.inbox);
      return Math.max(0, Math.min(...next) - Date.now());
    },
    notice({ type, task_id: taskId }) {
      if (!taskId) return;
      if (type === "task.selected") offered.add(taskId);
      else if (inHand.has(taskId)) due.look = 0;
    },
    async leave() {
      await client.agents.heartbeat({ health_status: "offline" });
    },
  };
}

/** The earliest time for the first read of the inbox, in milliseconds since 1970. Pure. */
export function firstInboxAt(readAt: string | null, inboxSeconds: number, now: number = Date.now()): number {
  const last = readAt === null ? Number.NaN : Date.parse(readAt);
  const next = Number.isNaN(last) ? 0 : Math.min(last, now) + inboxSeconds * 1000;
  return Math.max(now + FIRST_LOOK_MS, next);
}
