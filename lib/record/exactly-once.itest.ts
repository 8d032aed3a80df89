import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { testService } from "#testing/client.ts";
import { openStream } from "#testing/event-stream.ts";
import { settled } from "#testing/events.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { type ApiProcess, type HttpAnswer, request, startApiProcess } from "#testing/processes/processes.ts";
import { fc } from "#testing/seed.ts";
import type { EventWire } from "./schema.ts";

// `EVENTS=20000 SEQUENCER_KILLS=20` is the long run. Each task that is posted and cancelled makes three events.
const EVENTS = Number(process.env.EVENTS ?? 400);
const KILLS = Number(process.env.SEQUENCER_KILLS ?? 2);
const WRITERS = 16;
const PROCESSES = 2;

let processes: ApiProcess[];
let writers: TestAgent[];
let provider: TestAgent;
let stranger: TestAgent;
testService({}, async () => {
  processes = await Promise.all(Array.from({ length: PROCESSES }, () => startApiProcess({})));
  writers = await Promise.all(Array.from({ length: WRITERS }, () => verifiedAgent()));
  [provider, stranger] = [await verifiedAgent(), await registerAgent()];
  return async () => {
    isOver = true;
    await Promise.all(processes.map((process) => process.stop()));
  };
});
// Readers and writers insist, so a test that fails has to end them.
let isOver = false;

let turn = 0;
/** One of the processes that live, another one each time. */
function anyUrl(): string {
  turn += 1;
  return processes[turn % processes.length]?.url ?? "";
}

/** A call that is sent again, perhaps to another process, until one answers. */
async function insist(
  ...[method, path, options]: [...Parameters<typeof request>] extends [string, ...infer R] ? R : never
) {
  while (!isOver) {
    const answer = await request(anyUrl(), method, path, options).catch((): HttpAnswer | undefined => undefined);
    if (answer && answer.status < 500) return answer;
    await delay(50);
  }
  throw new Error("the test is over");
}

async function write(writer: TestAgent, tasks: number): Promise<void> {
  const { publicId: public_id, token } = writer;
  for (let made = 0; made < tasks; made += 1) {
    const fields = {
      public_id,
      brief: "Count.",
      budget_pence: 0,
      client_request_id: newId("req"),
      provider_public_id: provider.publicId,
      visibility: "unlisted",
    };
    const { status, body } = await insist("POST", "jobs/create.php", { token, fields });
    assert.equal(status, 201);
    const { task_id } = body.task as { task_id: string };
    // A lost answer of the first attempt makes the second one a conflict.
    const cancelled = await insist("POST", "jobs/cancel.php", { token, fields: { public_id, task_id } });
    assert.ok([200, 409].includes(cancelled.status));
  }
}

type Reader = {
  events: EventWire[] /** Reads on until it has passed this position. */;
  until(end: number): Promise<void>;
};

/** Reads page by page, with or without waiting. */
function poller({ publicId: public_id, token }: TestAgent, from: number, wait: number): Reader {
  const events: EventWire[] = [];
  let [at, end] = [from, Number.POSITIVE_INFINITY];
  const reading = (async () => {
    while (at < end) {
      const fields = { public_id, after: at, limit: 50, wait };
      const { status, body } = await insist("GET", "events.php", { token, fields });
      assert.equal(status, 200, JSON.stringify(body));
      events.push(...(body.events as EventWire[]));
      at = body.next_after as number;
      if (wait === 0) await delay(20);
    }
  })();
  return {
    events,
    async until(last) {
      end = last;
      await reading;
    },
  };
}

/** Opens a stream again whenever it breaks. */
function streamer({ publicId: public_id, token }: TestAgent, from: number): Reader {
  const events: EventWire[] = [];
  let [lastEventId, end] = [String(from), Number.POSITIVE_INFINITY];
  const isDone = () => (events.at(-1)?.position ?? from) >= end;
  const reading = (async () => {
    while (!isDone() && !isOver) {
      const stream = await openStream(anyUrl(), { token, query: { public_id }, lastEventId }).catch(() => undefined);
      if (stream?.status !== 200) {
        stream?.close();
        await delay(100);
        continue;
      }
      let isOpen = true;
      void stream.ended.then(() => {
        isOpen = false;
      });
      const seen = () => events.push(...stream.events.splice(0));
      while (isOpen && !isDone() && !isOver) {
        await delay(20);
        seen();
      }
      seen();
      lastEventId = stream.lastId() ?? lastEventId;
      stream.close();
    }
  })();
  return {
    events,
    async until(last) {
      end = last;
      await reading;
    },
  };
}

/** Kills the process that gives positions, and starts another. */
async function killSequencer(): Promise<void> {
  while (!isOver) {
    const { rows } = await pool().query<{ name: string }>(
      `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database() AND a.application_name LIKE 'guildhall record %'
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    const pid = Number(rows[0]?.name.split(" ").at(-1));
    const victim = processes.find((process) => process.pid === pid);
    if (victim) {
      await victim.kill();
      processes = processes.filter((process) => process !== victim);
      processes = [...processes, await startApiProcess({})];
      return;
    }
    await delay(20);
  }
}

test("while sixteen writers write and the sequencing process is killed, every reader gets every event once and in order", async () => {
  const start = await settled();
  const own = writers[0] as TestAgent;
  const readers = [
    poller(provider, start, 0),
    poller(provider, start, 5),
    streamer(provider, start),
    streamer(own, start),
  ];
  const written = Promise.all(writers.map((writer) => write(writer, Math.ceil(EVENTS / 3 / WRITERS))));
  let writing = true;
  void written.finally(() => {
    writing = false;
  });
  for (const ms of fc.sample(fc.nat(400), KILLS)) {
    if (!writing) break;
    await delay(ms);
    await killSequencer();
  }
  await written;
  const end = await settled();
  assert.ok(end - start >= EVENTS);
  const { rows } = await pool().query<{
    id: string;
    type: string;
    task: string;
    recipients: string[];
    position: number;
  }>(
    `SELECT e.id, e.type, e.task_id AS task, e.recipients, p.position::int AS position FROM event_positions p JOIN audit_events e USING (seq)
     WHERE p.position > $1 ORDER BY p.position`,
    [start],
  );
  assert.deepEqual(
    rows.map(({ position }) => position),
    Array.from({ length: end - start }, (_, index) => start + index + 1),
  );
  const expected = (agent: TestAgent) => rows.filter(({ recipients }) => recipients.includes(agent.publicId));
  for (const [index, reader] of readers.entries()) {
    const mine = expected(index === 3 ? own : provider);
    await reader.until(index < 2 ? end : (mine.at(-1)?.position ?? 0));
    assert.deepEqual(
      reader.events.map(({ event_id }) => event_id),
      mine.map(({ id }) => id),
      `reader ${index}`,
    );
  }
  const cancelled = new Set<string>();
  for (const { type, task } of rows) {
    assert.ok(!cancelled.has(task), "an effect before its cause");
    if (type === "task.cancelled") cancelled.add(task);
  }
  const query = { public_id: stranger.publicId, after: start, limit: 500 };
  const { body } = await insist("GET", "events.php", { token: stranger.token, fields: query });
  assert.deepEqual([body.events, body.next_after], [[], end]);
});
