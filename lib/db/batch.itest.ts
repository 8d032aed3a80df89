import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "#lib/kernel/ids.ts";
import { testService } from "#testing/client.ts";
import { callAs, registerAgent, reportHealth, succeeded, type TestAgent } from "#testing/factories.ts";
import { statementsOf } from "#testing/plans.ts";
import { query } from "#testing/query.ts";
import { batched, batchedWrite } from "./batch.ts";
import { pool } from "./client.ts";
import { integer, text } from "./columns.ts";
import { declared } from "./statement.ts";

const service = testService();

/** What is sent to PostgreSQL while `work` runs, by the names under which the statements are declared. */
async function sentDuring(work: () => Promise<void>): Promise<string[]> {
  const names = new Map([...declared].map(([name, { text }]) => [text, name]));
  return (await statementsOf(work)).map(({ text }) => names.get(text) ?? text);
}

const count = batched(
  "test.count",
  { n: integer, word: text },
  ["text", "integer"],
  "SELECT n, $1::text AS word FROM generate_series(1, $2::int) AS n ORDER BY n DESC LIMIT $3",
);

test("calls that wait together are one statement, and each gets its own rows in their order", async () => {
  const sizes = Array.from({ length: 200 }, (_, index) => (index % 7) + 1);
  const sent = await sentDuring(async () => {
    const answers = await Promise.all(sizes.map((size, index) => count(`word ${index}`, size, 5)));
    for (const [index, size] of sizes.entries()) {
      const shown = Math.min(size, 5);
      const expected = Array.from({ length: shown }, (_, place) => ({ n: size - place, word: `word ${index}` }));
      assert.deepEqual(
        answers[index]?.map(({ n, word }) => ({ n, word })),
        expected,
      );
    }
  });
  // A batch has at most 16 members.
  assert.deepEqual(sent, Array(13).fill("test.count_batch"));
});

test("a call that is alone is an ordinary statement", async () => {
  const sent = await sentDuring(async () => assert.deepEqual(await count("x", 1, 5), [{ n: 1, word: "x" }]));
  assert.deepEqual(sent, ["test.count"]);
});

test("calls with other values of a shared parameter are in different batches", async () => {
  const sent = await sentDuring(async () => {
    const answers = await Promise.all([count("a", 3, 1), count("b", 3, 2), count("c", 3, 1), count("d", 3, 2)]);
    assert.deepEqual(
      answers.map((rows) => rows.length),
      [1, 2, 1, 2],
    );
  });
  assert.deepEqual(sent, ["test.count_batch", "test.count_batch"]);
});

test("the data of one member fails that member only", async () => {
  const divide = batched("test.divide", { n: integer }, ["integer"], "SELECT 100 / $1::int AS n");
  const divided = await Promise.allSettled([divide(5), divide(0), divide(10)]);
  assert.deepEqual(
    divided.map((each) => (each.status === "fulfilled" ? each.value : (each.reason as { code: string }).code)),
    [[{ n: 20 }], "22012", [{ n: 10 }]],
  );
});

test("calls that come while a batch takes long do not wait for it", async () => {
  const lock = batched("test.lock", { got: text }, ["bigint"], "SELECT pg_advisory_xact_lock($1)::text AS got");
  const ended: string[] = [];
  const call = (key: number) => lock(key).then(() => ended.push(`lock ${key}`));
  const holder = await pool().connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT pg_advisory_xact_lock(1)");
    const slow = call(1);
    // It was sent, and no later call fills the next batch.
    await new Promise(setImmediate);
    await Promise.all([call(2), call(3)]);
    assert.deepEqual(ended, ["lock 2", "lock 3"]);
    await holder.query("COMMIT");
    await slow;
  } finally {
    holder.release(true);
  }
});

test("a statement that PostgreSQL refuses as a whole fails every member", async () => {
  const wrong = batched("test.wrong", { n: integer }, ["integer"], "SELECT n FROM missing WHERE n = $1");
  const answers = await Promise.allSettled([wrong(1), wrong(2)]);
  assert.deepEqual(
    answers.map((each) => each.status === "rejected" && each.reason.code),
    ["42P01", "42P01"],
  );
});

test("of writes that wait together, the last one of a row is kept, and later ones wait their turn", async () => {
  const table = await pool().query("SELECT count(*)::int AS n FROM health_reports");
  assert.equal(table.rows[0].n, 0);
  const [one, other] = [await registerAgent(), await registerAgent()];
  for (const status of ["available", "busy"] as const) {
    const answers = await Promise.all([
      ...(["offline", "maintenance", status] as const).map((each) => reportHealth(one, each)),
      reportHealth(other, status),
    ]);
    for (const answer of answers) succeeded(answer);
    const { rows } = await pool().query("SELECT status::text FROM health_reports");
    assert.deepEqual(rows, [{ status }, { status }]);
  }
});

test("a write that breaks a constraint fails alone", async () => {
  const write = batchedWrite(
    "test.report",
    {},
    `INSERT INTO health_reports (identity_id, status, reported_at)
     SELECT id, 'available', now() FROM unnest((SELECT $1::text[])) AS id ORDER BY id ON CONFLICT DO NOTHING`,
  );
  const agent = await registerAgent();
  const answers = await Promise.allSettled([write(agent.publicId), write("agt_nobody")]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    ["fulfilled", "rejected"],
  );
});

test("a write gets its own rows, and is never in a batch with another of the same key", async () => {
  const write = batchedWrite(
    "test.keyed",
    { word: text },
    `SELECT place::int AS member, repeat(word, times) AS word
     FROM unnest((SELECT $1::text[]), (SELECT $2::integer[])) WITH ORDINALITY AS given (word, times, place) ORDER BY word DESC`,
    ([word]) => word,
  );
  const sent = await sentDuring(async () => {
    const calls = [write("a", 1), write("b", 2), write("a", 3), write("c", 1), write("a", 2)];
    const words = (await Promise.all(calls)).map((rows) => rows.map(({ word }) => word));
    assert.deepEqual(words, [["a"], ["bb"], ["aaa"], ["c"], ["aa"]]);
  });
  assert.deepEqual(sent, Array(3).fill("test.keyed"));
});

const post = (agent: TestAgent, more: object = {}) =>
  callAs<{ task: { task_id: string; title: string } }>(agent, "POST", "/api/v1/jobs/create.php", {
    brief: `For ${agent.publicId}`,
    budget_pence: 5,
    client_request_id: newId("req"),
    ...more,
  });

test("tasks that are posted at once are one statement, and one that fails does not hinder the others", async () => {
  const requesters = await Promise.all(Array.from({ length: 8 }, () => registerAgent()));
  const sent = await sentDuring(async () => {
    for (const [index, answer] of (await Promise.all(requesters.map((each) => post(each)))).entries()) {
      succeeded(answer, 201);
      assert.equal(answer.body.task.title, `For ${requesters[index]?.publicId}`);
    }
  });
  assert.equal(sent.filter((name) => name === "task.create").length, 1);

  try {
    await query(service.ownerUrl, "ALTER TABLE tasks ADD CONSTRAINT refused CHECK (budget_pence <> 13)");
    const answers = await Promise.all([
      ...requesters.map((each, index) => post(each, { budget_pence: index === 3 ? 13 : 5 })),
      ...requesters.map((each) => post(each)),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map((_, index) => (index === 3 ? 500 : 201)),
    );
  } finally {
    await query(service.ownerUrl, "ALTER TABLE tasks DROP CONSTRAINT refused");
  }
});

test("a requester whose row is held keeps no other requester waiting", async () => {
  const requesters = await Promise.all(Array.from({ length: 6 }, () => registerAgent()));
  const [held, ...others] = requesters;
  assert.ok(held);
  succeeded(await post(held), 201);
  const holder = await pool().connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM task_allowances WHERE requester_id = $1 FOR UPDATE", [held.publicId]);
    let isDone = false;
    const waiting = Promise.all([post(held), post(held)]).finally(() => {
      isDone = true;
    });
    for (let round = 0; round < 2; round += 1)
      for (const answer of await Promise.all(others.map((each) => post(each)))) succeeded(answer, 201);
    assert.equal(isDone, false);
    await holder.query("COMMIT");
    for (const answer of await waiting) succeeded(answer, 201);
  } finally {
    holder.release(true);
  }
});

test("a suspension counts from the next call on, however many wait together", async () => {
  const agent = await registerAgent();
  const others = await Promise.all(Array.from({ length: 5 }, () => registerAgent()));
  const callAll = () => Promise.all([agent, ...others].map((each) => callAs(each, "GET", "/api/v1/agents/me.php")));
  assert.deepEqual(
    (await callAll()).map(({ status }) => status),
    Array(6).fill(200),
  );
  await pool().query("UPDATE identities SET state = 'suspended' WHERE id = $1", [agent.publicId]);
  assert.deepEqual(
    (await callAll()).map(({ status }) => status),
    [403, ...Array(5).fill(200)],
  );
});
