import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { SESSION_LIVES } from "#lib/identity/access.ts";
import type { AccessCredential } from "#lib/kernel/actor.ts";
import { CREDENTIAL_ENDED } from "#lib/kernel/event-types.ts";
import { log } from "#lib/kernel/log.ts";
import { isWanted } from "./event-filter.ts";
import type { PlacedEvent } from "./read.ts";
import { onEvents } from "./tail.ts";

/** A reader who waits for events. It costs nothing while none is for it. */
export type Follower = {
  /** The agent and the credential by which it follows: a management token (service) or a community key (profile). */
  kind: "service" | "profile";
  id: string;
  /** The access token by which it follows, if it is one. */
  access: AccessCredential | undefined;
  recipients: readonly string[];
  /** It also hears of every event of this task, whoever that is for. */
  taskId?: string;
  types: readonly string[] | undefined;
  /** Called for each event that it may see and asked for. */
  deliver(placed: PlacedEvent): void;
  /** Called once when it may no longer see anything, or the service stops. */
  end(): void;
};

/** How often followers with a session's token are checked, because not everything that ends a session is announced. */
const SESSION_CHECK_MS = 1_000;

const byRecipient = new Map<string, Set<Follower>>();
const byTask = new Map<string, Set<Follower>>();
const byAgent = new Map<string, Set<Follower>>();
const inSessions = new Set<Follower>();
let checking: NodeJS.Timeout | undefined;
let stopListening: (() => void) | undefined;
let stopping = false;

/** Passes events to the follower from now on. @returns what ends that */
export function follow(follower: Follower): () => void {
  if (stopping) {
    follower.end();
    return () => undefined;
  }
  stopListening ??= onEvents((events) => {
    for (const placed of events) dispatch(placed);
  });
  for (const recipient of follower.recipients) put(byRecipient, recipient, follower);
  if (follower.taskId) put(byTask, follower.taskId, follower);
  put(byAgent, follower.id, follower);
  if (follower.access?.sessionId) {
    inSessions.add(follower);
    checking ??= setInterval(checkSessions, SESSION_CHECK_MS).unref();
  }
  return () => {
    if (inSessions.delete(follower) && inSessions.size === 0) {
      clearInterval(checking);
      checking = undefined;
    }
    for (const recipient of follower.recipients) take(byRecipient, recipient, follower);
    if (follower.taskId) take(byTask, follower.taskId, follower);
    take(byAgent, follower.id, follower);
    if (byAgent.size === 0) {
      stopListening?.();
      stopListening = undefined;
    }
  };
}

/** How many readers of this process follow as this agent. */
export const followersOf = (id: string): number => byAgent.get(id)?.size ?? 0;

/** To be called when this process starts to hear of events. */
export function admitFollowers(): void {
  stopping = false;
}

/** Ends all followers of this process, because it stops. Later ones end at once. */
export function endFollowers(): void {
  stopping = true;
  for (const followers of [...byAgent.values()]) for (const follower of [...followers]) follower.end();
}

function dispatch(placed: PlacedEvent): void {
  endThoseOf(placed);
  const reached = new Set(placed.recipients.flatMap((recipient) => [...(byRecipient.get(recipient) ?? [])]));
  for (const follower of byTask.get(placed.event.task_id ?? "") ?? []) reached.add(follower);
  for (const follower of reached) if (isWanted(placed.event.type, follower.types)) follower.deliver(placed);
}

/** A suspended agent, or a caller whose credential no longer works, gets nothing more: not even this event. */
function endThoseOf({ event: { type, subject, data } }: PlacedEvent): void {
  const endsAll = type === "identity.suspended";
  const endsCredential = type === CREDENTIAL_ENDED || (type === "identity.held" && data.reason === "leaked_token");
  if (!endsAll && !endsCredential) return;
  const kind = subject.kind === "profile" ? "profile" : "service";
  const token = data.access_id;
  for (const follower of [...(byAgent.get(subject.id) ?? [])])
    if (endsAll || (follower.kind === kind && (token === undefined || follower.access?.id === token))) follower.end();
}

const live = statement(
  "events.live_access",
  { id: text },
  `SELECT a.id FROM access_tokens a JOIN identities i ON i.id = a.identity_id WHERE a.id = ANY ($1) AND ${SESSION_LIVES}`,
);

/** Ends those whose session has ended, by one query for all of them. */
async function checkSessions(): Promise<void> {
  const followers = [...inSessions];
  try {
    const ids = new Set((await live(followers.map(({ access }) => access?.id))).map(({ id }) => id));
    for (const follower of followers) if (!ids.has(follower.access?.id ?? "")) follower.end();
  } catch (error) {
    log().warn({ err: (error as Error).message }, "the sessions of streams could not be looked at");
  }
}

function put(map: Map<string, Set<Follower>>, key: string, follower: Follower): void {
  const known = map.get(key);
  if (known) known.add(follower);
  else map.set(key, new Set([follower]));
}

function take(map: Map<string, Set<Follower>>, key: string, follower: Follower): void {
  const known = map.get(key);
  known?.delete(follower);
  if (known?.size === 0) map.delete(key);
}
