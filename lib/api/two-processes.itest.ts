import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { setQuota } from "#lib/admin/restrictions.ts";
import type { PostWire } from "#lib/community/schema.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { member, publish, type TestMember } from "#testing/community.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import {
  type ApiProcess,
  type HttpAnswer,
  request,
  startApiProcess,
  stopSilent,
} from "#testing/processes/processes.ts";
import { registration } from "#testing/requests.ts";
import { expire, postTask } from "#testing/workflow.ts";

let processes: ApiProcess[];
// Names that lead to a closed port: checks of their domains fail at once, and without a network.
testService({ DEV_HOSTS: "lost.test=127.0.0.1:1" }, async () => {
  processes = await Promise.all([startApiProcess({}, { worker: true }), startApiProcess({}, { worker: true })]);
  return () => stopSilent(processes);
});

const urlOf = (index: number) => processes[index % 2]?.url ?? "";

/** Sends a call to one process and the other in turn. */
function spread(count: number, send: (url: string, index: number) => Promise<HttpAnswer>): Promise<HttpAnswer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => send(urlOf(index), index)));
}

const as = ({ publicId, token }: TestAgent, fields: object = {}) => ({
  token,
  fields: { public_id: publicId, ...fields },
});
const count = (answers: HttpAnswer[], status: number) => answers.filter((answer) => answer.status === status).length;

test("one of several simultaneous claims at two processes wins", async () => {
  const requester = await registerAgent();
  const providers = await Promise.all(Array.from({ length: 10 }, () => verifiedAgent()));
  for (let round = 0; round < 3; round += 1) {
    const { task_id } = await postTask(requester);
    const answers = await spread(30, (url, index) =>
      request(url, "POST", "jobs/claim.php", as(providers[index % 10] as TestAgent, { task_id })),
    );
    assert.deepEqual([count(answers, 200), count(answers, 409)], [1, 29]);
  }
});

test("one request sent to two processes at once creates one task, and all answers are the same", async () => {
  const requester = await registerAgent();
  const fields = { brief: "Count.", budget_pence: 1, client_request_id: newId("req") };
  const answers = await spread(40, (url) => request(url, "POST", "jobs/create.php", as(requester, fields)));
  assert.equal(count(answers, 201), 40);
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
});

test("with quota for one, one of several simultaneous creations at two processes succeeds", async () => {
  const agent = await verifiedAgent();
  const offer = {
    skill: "translation",
    description: "d",
    input: "i",
    output: "o",
    limits: "l",
    price_pence: 1,
    enabled: true,
  };
  const task = () => ({ brief: "b", budget_pence: 0, client_request_id: newId("req") });
  for (const [name, path, fields] of [
    ["offers", "agents/offers.php", () => offer],
    ["tasks", "jobs/create.php", task],
  ] as const) {
    const quota = 12;
    await setQuota(admin, { publicId: agent.publicId, quota: name, limit: quota, reason });
    const post = (url: string) => request(url, "POST", path, as(agent, fields()));
    const made = await spread(quota - 1, post);
    assert.equal(count(made, 201), quota - 1);
    const answers = await spread(40, post);
    assert.deepEqual([count(answers, 201), count(answers, 409)], [1, 39]);
  }
});

test("a change made through one process is visible in the other at once", async () => {
  const [one, other] = processes as [ApiProcess, ApiProcess];
  const [agent, provider] = [await registerAgent(), await verifiedAgent()];
  for (let round = 0; round < 6; round += 1) {
    const fields = {
      brief: "b",
      budget_pence: 0,
      client_request_id: newId("req"),
      provider_public_id: provider.publicId,
    };
    const { body } = await request(one.url, "POST", "jobs/create.php", as(agent, fields));
    const { task_id } = body.task as { task_id: string };
    assert.equal((await request(other.url, "POST", "jobs/claim.php", as(provider, { task_id }))).status, 200);
  }
});

test("once one process has answered a leak report, the token works on no other process", async () => {
  for (let round = 0; round < 4; round += 1) {
    const agent = await registerAgent();
    const [first, other] = round % 2 ? processes : [...processes].reverse();
    const read = (url = "") => request(url, "GET", "agents/me.php", as(agent));
    assert.equal((await read(other?.url)).status, 200);
    const busy = spread(20, (url) => read(url));
    const report = await request(first?.url ?? "", "POST", "agents/report_leak.php", {
      fields: { secret: agent.token },
    });
    assert.equal(report.status, 200);
    const later = await spread(20, (url) => read(url));
    assert.equal(count(later, 403), 20);
    assert.equal(count(await busy, 200) + count(await busy, 403), 20);
  }
});

test("each job is run once, by one of the processes", async () => {
  const requester = await verifiedAgent();
  const due = await Promise.all(Array.from({ length: 40 }, async () => (await postTask(requester)).task_id));
  await Promise.all(due.map(expire));
  const identities = await Promise.all(
    Array.from({ length: 20 }, () => verifiedAgent({ endpoint: "https://lost.test/agent" })),
  );
  await pool().query("SELECT graphile_worker.add_job('expire-tasks') FROM generate_series(1, 10)");
  await pool().query(
    "SELECT graphile_worker.add_job('recheck-domain', json_build_object('public_id', id), job_key => 'recheck:' || id) FROM unnest($1::text[]) AS id",
    [identities.map(({ publicId }) => publicId)],
  );
  const open =
    "SELECT count(*)::int AS open FROM graphile_worker.jobs WHERE run_at <= now() AND attempts < max_attempts";
  while ((await pool().query<{ open: number }>(open)).rows[0]?.open) await delay(50);

  const expired = await pool().query(
    "SELECT count(*)::int AS events, count(DISTINCT subject_id)::int AS tasks FROM audit_events WHERE action = 'expire' AND subject_id = ANY ($1)",
    [due],
  );
  assert.deepEqual(expired.rows, [{ events: 40, tasks: 40 }]);
  const checked = await pool().query(
    "SELECT DISTINCT domain_status::text, domain_failures, domain_failure FROM identities WHERE id = ANY ($1)",
    [identities.map(({ publicId }) => publicId)],
  );
  assert.deepEqual(checked.rows, [{ domain_status: "grace", domain_failures: 1, domain_failure: "unreachable" }]);
});

test("strict limits count across processes, and a client cannot choose its address", async () => {
  const limited = { RATE_LIMIT_SCALE: "1", TRUSTED_PROXIES: "127.0.0.1" };
  const pair = await Promise.all([startApiProcess(limited), startApiProcess(limited)]);
  try {
    const register = (index: number, forwardedFor: string) =>
      request(pair[index % 2]?.url ?? "", "POST", "agents/register.php", {
        fields: registration(),
        headers: { "X-Forwarded-For": forwardedFor },
      });
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, index) => register(index, `203.0.113.${index}, 198.51.100.1`)),
    );
    assert.deepEqual([count(answers, 201), count(answers, 429)], [60, 30]);
    assert.ok(answers.every(({ status, headers }) => (status === 429) === headers.has("Retry-After")));
    assert.equal((await register(0, "198.51.100.2")).status, 201);
  } finally {
    await Promise.all(pair.map((process) => process.stop()));
  }
});

test("a stopping process answers the requests that it has started", async () => {
  const requester = await verifiedAgent();
  const leaving = await startApiProcess({});
  const fields = () => ({ brief: "b", budget_pence: 0, client_request_id: newId("req") });
  const calls = Array.from({ length: 50 }, () =>
    request(leaving.url, "POST", "jobs/create.php", as(requester, fields())),
  );
  await Promise.race(calls);
  await leaving.stop();
  const answers = await Promise.allSettled(calls);
  const answered = answers.filter(({ status }) => status === "fulfilled").length;
  const { rows } = await pool().query("SELECT count(*)::int AS made FROM tasks WHERE requester_id = $1", [
    requester.publicId,
  ]);
  assert.deepEqual(rows, [{ made: answered }]);
});

const WRITERS = 16;
/** `POLLED_POSTS` sets how many they write. */
const POSTS = Number(process.env.POLLED_POSTS ?? 400);

/** Reads on from `after`, now from one process and now from the other, until `enough` says so. */
async function poll(after: number, filter: object, enough: (met: PostWire[]) => boolean): Promise<PostWire[]> {
  const met: PostWire[] = [];
  let [from, turn] = [after, 0];
  while (!enough(met)) {
    turn += 1;
    const fields = { view: "feed", after: from, limit: 100, ...filter };
    const { status, body } = await request(urlOf(turn), "GET", "community/", { fields });
    assert.equal(status, 200);
    const { posts, next_after } = body as { posts: PostWire[]; next_after: number };
    met.push(...posts);
    from = next_after;
  }
  return met;
}

test("a reader who polls while sixteen writers post through two processes gets every post once, in order", async () => {
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => member()));
  const opening = await publish(writers[0] as TestMember, { thread_id: "help" });
  const made: string[] = [];
  let writing = true;
  const write = async (writer: TestMember, index: number) => {
    for (let turn = index; turn < POSTS; turn += WRITERS) {
      // Answers to one post wait for each other; openings in other rooms go ahead.
      const place = turn % 3 === 0 ? { reply_to: opening.post_id } : { thread_id: turn % 3 === 1 ? "help" : "market" };
      const fields = { action: "post", title: "T", body: `Post ${turn}`, ...place };
      const answer = await request(urlOf(turn + index), "POST", "community/", { token: writer.key, fields });
      assert.equal(answer.status, 201);
      made.push((answer.body.post as PostWire).post_id);
    }
  };
  const written = Promise.all(writers.map(write)).finally(() => {
    writing = false;
  });
  // A reader is done when it has had the time to see what was written last: a full round of both processes.
  const untilQuiet = () => {
    let [seen, rounds] = [-1, 0];
    return (met: PostWire[]) => {
      rounds = writing || met.length > seen ? 0 : rounds + 1;
      seen = met.length;
      return rounds > 4;
    };
  };
  const [everything, helping] = await Promise.all([
    poll(opening.seq, {}, untilQuiet()),
    poll(opening.seq, { room: "help" }, untilQuiet()),
    written,
  ]);
  assert.equal(made.length, POSTS);
  for (const met of [everything, helping]) {
    assert.ok(met.every(({ seq }, index) => seq > (met[index - 1]?.seq ?? opening.seq)));
  }
  assert.deepEqual(everything.map(({ post_id }) => post_id).sort(), made.sort());
  const inHelp = everything.filter(({ room }) => room === "help");
  assert.deepEqual(
    helping.map(({ post_id }) => post_id),
    inHelp.map(({ post_id }) => post_id),
  );
});
