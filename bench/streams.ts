import { Agent, get, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { newId } from "#lib/kernel/ids.ts";
import { tokenOf } from "./credentials.ts";
import type { DataSet } from "./data.ts";
import { type Running, residentMiB } from "./processes.ts";

const AGENTS = 1_000;
const PER_AGENT = 2;
const AT_ONCE = 50;
const IDLE_SECONDS = 10;
const EVENTS = 5;

export type StreamsRow = {
  streams: number;
  /** What the streams add to the service's resident memory while they are idle. */
  addedMiB: number;
  /** Transactions of the database a second, without streams and with all of them idle. */
  queriesWithout: number;
  queriesWith: number;
  /** From the commit of an event for everyone until the first, half of, and all of the streams have it; the slowest of some. */
  firstMs: number;
  halfMs: number;
  allMs: number;
};

/** Idle streams, and events that are for all of them. In the end, `whileOpen` is run while they are still open. */
export async function measureStreams(
  data: DataSet,
  service: Running,
  whileOpen: (streams: number) => Promise<void>,
): Promise<StreamsRow> {
  const client = new pg.Client({ connectionString: data.url });
  await client.connect();
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const open: IncomingMessage[] = [];
  try {
    const { rows: agents } = await client.query<{ id: string; n: number }>(
      `SELECT id, n::int FROM (SELECT id, state, row_number() OVER (ORDER BY seq) AS n FROM identities WHERE host ~ '^agent-') numbered
       WHERE state = 'active' ORDER BY n LIMIT $1`,
      [AGENTS],
    );
    const ids = agents.map(({ id }) => id);
    const wanted = agents.flatMap(({ id, n }) => Array.from({ length: PER_AGENT }, () => ({ id, token: tokenOf(n) })));
    if (!wanted[0]) throw new Error("The data set has no agents.");
    await warmUp(service, wanted[0], agent);
    const queriesWithout = await queryRate(client);
    const before = residentMiB(service.pid);
    const received = { count: 0, first: 0, half: 0, all: 0 };
    const total = ids.length * PER_AGENT;
    const note = () => {
      received.count += 1;
      const now = performance.now();
      if (received.count === 1) received.first = now;
      if (received.count === total / 2) received.half = now;
      if (received.count === total) received.all = now;
    };
    for (let at = 0; at < wanted.length; at += AT_ONCE)
      open.push(
        ...(await Promise.all(wanted.slice(at, at + AT_ONCE).map((one) => openStream(service.url, one, agent, note)))),
      );
    const queriesWith = await queryRate(client);
    const addedMiB = residentMiB(service.pid) - before;
    const slowest = { firstMs: 0, halfMs: 0, allMs: 0 };
    for (let event = 0; event < EVENTS; event += 1) {
      Object.assign(received, { count: 0, first: 0, half: 0, all: 0 });
      await writeEvent(client, ids);
      const began = performance.now();
      while (received.count < total && performance.now() - began < 30_000) await delay(5);
      slowest.firstMs = Math.max(slowest.firstMs, Math.round(received.first - began));
      slowest.halfMs = Math.max(slowest.halfMs, Math.round(received.half - began));
      slowest.allMs = Math.max(slowest.allMs, received.all ? Math.round(received.all - began) : 30_000);
      await delay(500);
    }
    await whileOpen(open.length);
    return { streams: open.length, addedMiB, queriesWithout, queriesWith, ...slowest };
  } finally {
    for (const stream of open) stream.destroy();
    agent.destroy();
    await client.end();
  }
}

/** The first streams load code and grow buffers, which are not what the others cost. */
async function warmUp(service: Running, one: { id: string; token: string }, agent: Agent): Promise<void> {
  for (let turn = 0; turn < AT_ONCE; turn += 1) {
    const stream = await openStream(service.url, one, agent, () => undefined);
    stream.destroy();
    await delay(20);
  }
  await delay(2_000);
}

function openStream(
  url: string,
  { id, token }: { id: string; token: string },
  agent: Agent,
  onEvent: () => void,
): Promise<IncomingMessage> {
  const headers = { Accept: "text/event-stream", Authorization: `Bearer ${token}` };
  return new Promise((opened, failed) => {
    get(new URL(`/api/v1/events.php?public_id=${id}`, url), { headers, agent }, (response) => {
      if (response.statusCode !== 200) failed(new Error(`a stream was answered with ${response.statusCode}`));
      response.on("error", () => undefined);
      response.on("data", (chunk: Buffer) => {
        if (chunk.includes("event: ")) onEvent();
      });
      opened(response);
    }).on("error", failed);
  });
}

/** PostgreSQL counts what a session did only once it has been idle for ten seconds. */
const COUNTED_MS = 12_000;

/** Transactions a second while nothing happens. */
async function queryRate(client: pg.Client): Promise<number> {
  const count = async () => {
    await delay(COUNTED_MS);
    const { rows } = await client.query<{ done: string }>(
      "SELECT xact_commit + xact_rollback AS done FROM pg_stat_database WHERE datname = current_database()",
    );
    return Number(rows[0]?.done);
  };
  const from = await count();
  const began = performance.now();
  await delay(IDLE_SECONDS * 1000);
  const to = await count();
  return Math.round(((to - from) * 10_000) / (performance.now() - began)) / 10;
}

async function writeEvent(client: pg.Client, recipients: string[]): Promise<void> {
  await client.query(
    `INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, type, recipients, event_data)
     VALUES ($1, now(), 'system', 'bench', 'bench', 'task', 'bench', 'task.expired', $2, '{}')`,
    [newId("evt"), recipients],
  );
}
