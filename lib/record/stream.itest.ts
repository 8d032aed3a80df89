import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { StreamSink } from "#lib/kernel/endpoint.ts";
import { type AccessAgent, withAccess } from "#testing/access.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, testService } from "#testing/client.ts";
import { joined } from "#testing/community.ts";
import { openStream, type TestStream } from "#testing/event-stream.ts";
import { settled } from "#testing/events.ts";
import { callAs, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { type ApiProcess, startApiProcess } from "#testing/processes/processes.ts";
import { postTask } from "#testing/workflow.ts";
import type { FeedContext } from "./poll.ts";
import { startRecord } from "./record.ts";
import { streamEvents } from "./stream.ts";
import { onEvents } from "./tail.ts";

let api: ApiProcess;
let agent: TestAgent;
const streams: TestStream[] = [];
testService({}, async () => {
  api = await startApiProcess({ EVENT_STREAMS_MAX: "4" });
  agent = await verifiedAgent();
  return async () => {
    for (const stream of streams) stream.close();
    await api.stop();
    const output = api.output().split("\n");
    assert.deepEqual(
      output.filter((line) => line && !line.includes("as many streams as it takes")),
      [],
    );
  };
});

async function open(query: Record<string, string | number> = {}, by = agent, lastEventId?: string) {
  const options = { token: by.token, query: { public_id: by.publicId, ...query } };
  const stream = await openStream(api.url, { ...options, ...(lastEventId === undefined ? {} : { lastEventId }) });
  streams.push(stream);
  return stream;
}

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 3_000 && !condition(); turn += 1) await delay(20);
  assert.ok(condition());
}

async function closed(stream: TestStream): Promise<void> {
  stream.close();
  await stream.ended;
  await delay(50);
}

test("a stream gives what is there already, then what happens, each event with its position and type", async () => {
  const start = await settled();
  const { task_id: earlier } = await postTask(agent);
  const stream = await open({ after: start });
  await until(() => stream.events.length === 1);
  const { task_id: later } = await postTask(agent);
  await postTask(await verifiedAgent());
  await until(() => stream.events.length === 2);
  assert.deepEqual(
    stream.events.map(({ subject }) => subject.id),
    [earlier, later],
  );
  const { position } = stream.events[1] ?? assert.fail();
  assert.match(stream.text(), new RegExp(`^retry: 2000\nid: ${start}\n\n`));
  assert.match(stream.text(), new RegExp(`\n\nid: ${position}\nevent: task.created\ndata: \\{.*\\}\n\n$`));
  assert.equal(stream.headers["content-type"], "text/event-stream; charset=utf-8");
  assert.equal(stream.headers["x-accel-buffering"], "no");
  assert.equal(stream.headers["cache-control"], "no-store");
  await closed(stream);
});

test("a client that refuses or ranks event streams below JSON gets JSON", async () => {
  for (const accept of ["text/event-stream;q=0", "application/json, text/event-stream;q=0.5"]) {
    const url = `${api.url}/api/v1/events.php?public_id=${agent.publicId}`;
    const headers = { Authorization: `Bearer ${agent.token}`, Accept: accept };
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(5_000) });
    assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8", accept);
    await answer.body?.cancel();
  }
});

test("an event that arrives while a stream opens is not lost", async () => {
  const record = startRecord();
  const written: string[] = [];
  let close: () => void = () => undefined;
  const sink: StreamSink = {
    write: (text) => written.push(text),
    end: () => close(),
    unread: 0,
    drained: async () => undefined,
    onClose: (listener) => {
      close = listener;
    },
  };
  try {
    const actor = { kind: "service", id: agent.publicId } as FeedContext["actor"];
    const ctx = { actor, clock: systemClock, requestId: "req_test" } as FeedContext;
    const begin = await streamEvents(ctx, { public_id: agent.publicId, limit: 100, wait: 0 }, undefined);
    const heard = Promise.withResolvers<void>();
    const leave = onEvents(() => heard.resolve());
    const { task_id: taskId } = await postTask(agent);
    await heard.promise;
    leave();
    begin(sink);
    await until(() => written.join("").includes(taskId));
    assert.equal(written.filter((text) => text.includes("event: ")).length, 1);
  } finally {
    sink.end();
    await record.stop();
  }
});

test("a client that comes back with its last ID misses nothing, whatever its after says", async () => {
  const first = await open();
  await until(() => first.lastId() !== undefined);
  await closed(first);
  const { task_id: missed } = await postTask(agent);
  const again = await open({ after: 0 }, agent, first.lastId());
  await until(() => again.events.length === 1);
  assert.equal(again.events[0]?.subject.id, missed);
  await closed(again);
});

test("an agent that comes with the last ID of another gets its own events after that place, and none of the other's", async () => {
  const theirs = await open({ after: 0 });
  await until(() => theirs.lastId() !== undefined);
  const other = await verifiedAgent();
  await closed(theirs);
  for (const place of ["0", theirs.lastId() ?? ""]) {
    const { task_id: own } = await postTask(other);
    await postTask(agent);
    const stream = await open({}, other, place);
    await until(() => stream.events.some(({ subject }) => subject.id === own));
    const { rows } = await pool().query("SELECT id FROM tasks WHERE requester_id = $1", [other.publicId]);
    const mine = [other.publicId, ...rows.map(({ id }) => id)];
    assert.deepEqual(
      stream.events.filter(({ subject }) => !mine.includes(subject.id)),
      [],
    );
    await closed(stream);
  }
});

test("a credential has two streams, and a process as many as EVENT_STREAMS_MAX, without rate limits too", async () => {
  const [one, two, third] = [await open(), await open(), await open()];
  assert.deepEqual([one.status, two.status, third.status], [200, 200, 429]);
  assert.ok(third.headers["retry-after"]);
  const { key } = await joined(agent);
  const other = await openStream(api.url, { token: key });
  const another = await verifiedAgent();
  const last = await open({}, another);
  assert.deepEqual([other.status, last.status], [200, 200]);
  const beyond = await open({}, await verifiedAgent());
  assert.equal(beyond.status, 503);
  assert.ok(beyond.headers["retry-after"]);
  await closed(one);
  assert.equal((await open({}, another)).status, 200);
  other.close();
  for (const stream of streams) await closed(stream);
});

test("a position that is not kept, and a bad ID, are refused before the stream begins", async () => {
  const beyond = await open({}, agent, "999999999");
  await beyond.ended;
  assert.deepEqual([beyond.status, JSON.parse(beyond.text()).error.code], [410, "cursor_expired"]);
  const bad = await open({}, agent, "x");
  await bad.ended;
  assert.equal(bad.status, 422);
});

test("a reader that pauses gets everything later, in order", async () => {
  const stream = await open();
  await until(() => stream.lastId() !== undefined);
  stream.pause();
  const made: string[] = [];
  for (let turn = 0; turn < 30; turn += 1) made.push((await postTask(agent)).task_id);
  await settled();
  stream.resume();
  await until(() => stream.events.length === made.length);
  assert.deepEqual(
    stream.events.map(({ subject }) => subject.id),
    made,
  );
  await closed(stream);
});

test("a suspended identity's stream ends at once, without the event", async () => {
  const other = await verifiedAgent();
  await settled();
  const stream = await open({}, other);
  await until(() => stream.lastId() !== undefined);
  await suspendIdentity(admin, { publicId: other.publicId, reason });
  await stream.ended;
  assert.deepEqual(stream.events, []);
});

test("the stream of an access token ends when the token is removed, reported, or expires, and no other ends with it", async () => {
  const other = await verifiedAgent();
  const byToken = async (end: (access: AccessAgent) => Promise<unknown>) => {
    const access = await withAccess(other, ["read"]);
    await settled();
    const [ending, staying] = [await open({}, access), await open({}, other)];
    await until(() => ending.lastId() !== undefined && staying.lastId() !== undefined);
    await end(access);
    await ending.ended;
    await postTask(other);
    await until(() => staying.events.length === 1);
    assert.deepEqual(ending.events, []);
    await closed(staying);
  };
  await byToken(({ accessId }) => callAs(other, "POST", "/api/v1/agents/access_remove.php", { access_id: accessId }));
  await byToken(({ token }) => call("POST", "/api/v1/agents/report_leak.php", { body: { secret: token } }));
  const short = await withAccess(other, ["read"]);
  await pool().query("UPDATE access_tokens SET expires_at = now() + interval '4 seconds' WHERE id = $1", [
    short.accessId,
  ]);
  await (await open({}, short)).ended;
});

test("a service that stops ends its streams", async () => {
  const stopping = await startApiProcess({});
  const stream = await openStream(stopping.url, { token: agent.token, query: { public_id: agent.publicId } });
  await until(() => stream.lastId() !== undefined);
  const began = performance.now();
  await Promise.all([stopping.stop(), stream.ended]);
  assert.ok(performance.now() - began < 8_000);
});
