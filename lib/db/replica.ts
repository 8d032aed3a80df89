import type { AsyncLocalStorage } from "node:async_hooks";
import { DatabaseError, Pool } from "pg";
import { env } from "#lib/kernel/env.ts";
import { log } from "#lib/kernel/log.ts";
import { countReplicaRead } from "#lib/kernel/metrics.ts";
import { oneAtATime } from "#lib/kernel/one-at-a-time.ts";
import { openPublicReads, type Replica } from "./client.ts";
import type { Connection } from "./connection.ts";

/*
 * What visitors read may come from a streaming replica, as long as it is known to have everything that was committed up to five
 * seconds ago. Nobody who has signed in or sent a credential reads from it, and no client that has just written (recent-writers.ts). Whatever
 * goes wrong there, the primary answers instead.
 */

/** What a replica lacks may be this old. */
export const MAX_LAG_MS = 5_000;
const CHECK_MS = 1_000;
/** Longer than any public read needs. A replica that takes longer is as good as gone. */
const QUERY_TIMEOUT_MS = 3_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** Positions of the primary that are remembered: as many as the lag may be, and some more. */
const MARKS = 30;

/** Where the primary stood, and when. `performance.now()`. */
type Mark = { at: number; position: bigint };

type Server = { standby: boolean; position: string | null; system: string; timeline: number };

// The system and the timeline show that the replica follows this primary, and not one that it was before a failover.
const ABOUT = `SELECT pg_is_in_recovery() AS standby, system_identifier::text AS system, timeline_id AS timeline,
  (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END)::text AS position
  FROM pg_control_system(), pg_control_checkpoint()`;

const STATEMENT_TIMED_OUT = "57014";

/** Whether reads of this moment may come from the replica: a visitor's, while it is fresh. */
export function isPublicRead(): boolean {
  return openPublicReads()?.getStore() !== undefined;
}

/**
 * Lets the statements of `work` read from the replica, if there is one that is fresh. If `work` fails after it has read there, it is
 * done again on the primary: what was not found may be too new for the replica. It must only read.
 */
export async function readPublicly<T>(work: () => Promise<T>): Promise<T> {
  const reading = { used: false };
  const storage = storageIfFresh();
  if (!storage) return work();
  try {
    return await storage.run(reading, work);
  } catch (error) {
    if (!reading.used) throw error;
    return storage.exit(work);
  }
}

/** The same for work that sends its own answer and cannot be repeated, such as rendering a page. */
export function renderPublicly(work: () => void): void {
  const storage = storageIfFresh();
  if (storage) storage.run({ used: false }, work);
  else work();
}

function storageIfFresh(): AsyncLocalStorage<{ used: boolean }> | undefined {
  if (env().databaseReplicaUrl === undefined) return undefined;
  return replicaLagMs() < MAX_LAG_MS ? openPublicReads() : undefined;
}

/** How old, in ms, the newest state is that the replica certainly has; Infinity if it cannot be used. */
export function replicaLagMs(): number {
  const { asOf } = replica();
  return performance.now() - asOf;
}

/**
 * Sends a statement to the replica.
 * @returns undefined if the primary has to answer
 * @throws Error if the statement took too long there: it would take as long on the primary
 */
export async function askReplica<Answer>(send: (replica: Connection) => Promise<Answer>): Promise<Answer | undefined> {
  const reading = openPublicReads()?.getStore();
  if (!reading || replicaLagMs() >= MAX_LAG_MS) return undefined;
  reading.used = true;
  try {
    const answer = await send(replica().pool);
    countReplicaRead("replica");
    return answer;
  } catch (error) {
    if ((error as { code?: string }).code === STATEMENT_TIMED_OUT) throw error;
    if (!(error instanceof DatabaseError) || isOfTheServer(error)) giveUp(error as Error);
    countReplicaRead("primary");
    return undefined;
  }
}

/** Classes of errors that say something about the server: it stops, is full, has no more connections, or refuses us. */
function isOfTheServer({ code = "" }: DatabaseError): boolean {
  return /^(?:08|28|3D|53|57P|58|XX)/.test(code);
}

/** Until the next check finds it well. */
function giveUp({ message }: Error): void {
  const opened = replica();
  opened.asOf = Number.NEGATIVE_INFINITY;
  report(opened, message);
}

/** Says once what is wrong, and once that it is over. */
function report(opened: Replica, problem: string | undefined): void {
  if (problem === opened.problem) return;
  opened.problem = problem;
  if (problem === undefined) log().info("visitors' reads come from the replica");
  else log().warn({ err: problem }, "the replica is not used: visitors' reads come from the primary");
}

const shared = globalThis as { guildhallReplica?: Replica };

function replica(): Replica {
  shared.guildhallReplica ??= open();
  return shared.guildhallReplica;
}

function open(): Replica {
  const { databaseUrl, databaseReplicaUrl, databasePool } = env();
  // Connections of their own for the checks: the replica is of most use while the primary's are all busy.
  const [here, primary] = [openPool(databaseReplicaUrl, 1), openPool(databaseUrl, 1)];
  const opened: Replica = {
    // After a promotion, nothing may be written here before we notice.
    pool: openPool(databaseReplicaUrl, databasePool, { options: "-c default_transaction_read_only=on" }),
    asOf: Number.NEGATIVE_INFINITY,
    problem: "it has not been checked yet",
    async close() {
      clearInterval(timer);
      await Promise.all([opened.pool, here, primary].map((each) => each.end()));
    },
  };
  const marks: Mark[] = [];
  const look = oneAtATime(() =>
    check(opened, { here, primary }, marks).catch((error: Error) => {
      opened.asOf = Number.NEGATIVE_INFINITY;
      report(opened, error.message);
    }),
  );
  const timer = setInterval(look, CHECK_MS).unref();
  void look();
  return opened;
}

function openPool(connectionString: string | undefined, max: number, more: { options?: string } = {}): Pool {
  const made = new Pool({
    connectionString,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    application_name: "guildhall replica",
    ...more,
  });
  // What breaks is noticed by the next query.
  const ignore = () => undefined;
  made.on("error", ignore);
  made.on("connect", (client) => client.on("error", ignore));
  return made;
}

/** Compares how far the replica has come with where the primary stood lately, which needs no clock but ours. */
async function check(opened: Replica, servers: { here: Pool; primary: Pool }, marks: Mark[]): Promise<void> {
  const at = performance.now();
  const primary = await about(servers.primary);
  if (primary.standby) throw new Error("DATABASE_URL names a standby");
  marks.push({ at, position: toBytes(primary.position) });
  if (marks.length > MARKS) marks.shift();
  const here = await about(servers.here);
  if (here.system !== primary.system) throw new Error("it is a copy of another database");
  if (!here.standby) throw new Error("it is not a standby, perhaps because it was promoted");
  if (here.timeline !== primary.timeline) throw new Error("it follows another timeline than the primary");
  const reached = toBytes(here.position);
  const newest = marks.findLast(({ position }) => position <= reached);
  opened.asOf = newest?.at ?? Number.NEGATIVE_INFINITY;
  report(opened, performance.now() - opened.asOf < MAX_LAG_MS ? undefined : "it lags more than 5 seconds");
}

async function about(server: Pool): Promise<Server> {
  const { rows } = await server.query<Server>(ABOUT);
  if (!rows[0]) throw new Error("the server says nothing about itself");
  return rows[0];
}

/** A position in the write-ahead log, such as `16/B374D848`. */
function toBytes(position: string | null): bigint {
  const [high = "0", low = "0"] = (position ?? "0/0").split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
