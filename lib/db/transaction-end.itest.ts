import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { isPassing } from "#lib/api/failure.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { verifiedAgent } from "#testing/factories.ts";
import type { Verb } from "#testing/requests.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { perform, taskAt } from "#testing/workflow.ts";
import { closeDatabase, limitTransactions, pool } from "./client.ts";
import type { Connection } from "./connection.ts";
import { keepSession } from "./session.ts";
import { statement } from "./statement.ts";
import { connectionOf, lightTransaction, transaction } from "./tx.ts";
import { withClient } from "./with-client.ts";

const service = testService();

type Limits = NonNullable<Parameters<typeof limitTransactions>[0]>;

/** Runs `work` while the service's transactions have these limits. */
async function limitedTo<Result>(limits: Limits, work: () => Promise<Result>): Promise<Result> {
  await closeDatabase();
  limitTransactions(limits);
  try {
    return await work();
  } finally {
    await closeDatabase();
    limitTransactions();
  }
}

/** Runs `work` while another session holds the locks of this statement. */
const whileLocked = <Result>(lock: string, values: unknown[], work: () => Promise<Result>) =>
  withClient(service.ownerUrl, async (holder) => {
    await holder.query("BEGIN");
    await holder.query(lock, values);
    return work();
  });

const STEPS: [Parameters<typeof taskAt>[0], Verb][] = [
  ["submitted", "complete"],
  ["claimed", "cancel"],
  ["proposed", "accept"],
  ["claimed", "propose"],
  ["claimed", "dispute"],
  ["accepted", "fund"],
  // Its transaction has no time of its own, only its waits have.
  ["submitted", "request_changes"],
];
const isLight = (verb: Verb) => verb === "request_changes";

async function stepsToTake(steps = STEPS) {
  const [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  const works = await Promise.all(
    steps.map(([state]) => taskAt(state, { requester, provider }, { amountPence: state === "claimed" ? 0 : 300 })),
  );
  return {
    taskIds: works.map(({ taskId }) => taskId),
    take: () =>
      Promise.all(works.map(async (work, at) => outcome(await perform(requester, steps[at]?.[1] as Verb, work)))),
  };
}
const LATER = "503 temporarily_unavailable";
const allLater = (answers: string[] | undefined) =>
  assert.deepEqual([...new Set(answers)], [LATER], "every step is to be repeated");
const ROWS = "SELECT 1 FROM tasks WHERE id = ANY($1) FOR UPDATE";
const RECORD = "LOCK TABLE audit_events IN EXCLUSIVE MODE";

for (const [what, lock] of [
  ["its task", ROWS],
  ["the record", RECORD],
] as const) {
  const held = async (taskIds: string[], work: () => Promise<void>) =>
    whileLocked(lock, lock === ROWS ? [taskIds] : [], work);

  test(`a step that waits for ${what} until its transaction's time is over writes nothing, also when the wait ends`, async () => {
    const { taskIds, take } = await stepsToTake(STEPS.filter(([, verb]) => !isLight(verb)));
    await limitedTo({ transactionMs: 150, lockMs: 10_000 }, () =>
      changesNothing("a step that came too late", async () => {
        let answers: Promise<string[]> | undefined;
        await held(taskIds, async () => {
          answers = take();
          await delay(1_000);
        });
        allLater(await answers);
        await delay(100);
      }),
    );
    assert.ok((await take()).every((answer) => /^20[01]$/.test(answer)));
  });

  test(`a step waits for ${what} less long than its transaction may take, and can then be repeated`, async () => {
    const { taskIds, take } = await stepsToTake();
    await limitedTo({ transactionMs: 15_000, lockMs: 150 }, () =>
      held(taskIds, () => changesNothing("a step that did not get its lock", async () => allLater(await take()))),
    );
    assert.ok((await take()).every((answer) => /^20[01]$/.test(answer)));
  });
}

const idOf = async (connection: Connection) => {
  const { rows } = await connection.query<{ pid: number }>({ text: "SELECT pg_backend_pid() AS pid", values: [] });
  return rows[0]?.pid;
};

/** The connection that the work of a transaction held until it ended, and its process. */
type Ended = { pid: number | undefined; kept: Connection };
const noted = async (kept: Connection): Promise<Ended> => ({ pid: await idOf(kept), kept });

/** The connection of a transaction that fails after it was noted. */
async function failing(
  run: (note: (kept: Connection) => Promise<void>) => Promise<unknown>,
  expected: RegExp | object,
): Promise<Ended> {
  const ended: Ended[] = [];
  await assert.rejects(
    run(async (kept) => void ended.push(await noted(kept))),
    expected,
  );
  return ended[0] ?? assert.fail("the transaction did not begin");
}

const rollBack = () => Promise.reject(new Error("rolled back"));
const ENDS: Record<string, () => Promise<Ended>> = {
  "a commit": () => transaction((tx) => noted(connectionOf(tx))),
  "a rollback": () => failing((note) => transaction((tx) => note(connectionOf(tx)).then(rollBack)), /rolled back/),
  "the time-out": () =>
    failing(
      (note) =>
        transaction(async (tx) => {
          await note(connectionOf(tx));
          await delay(400);
          await tx.owner.count();
        }),
      { code: "P2028" },
    ),
  "a light commit": () => lightTransaction(noted),
  "a light rollback": () => failing((note) => lightTransaction((kept) => note(kept).then(rollBack)), /rolled back/),
};

for (const [name, end] of Object.entries(ENDS))
  test(`after ${name}, nothing can be sent in the transaction of the request that has the connection then`, async () => {
    await limitedTo({ transactionMs: 150, lockMs: 10_000 }, async () => {
      const { pid, kept } = await end();
      await transaction(async (tx) => {
        assert.equal(await idOf(connectionOf(tx)), pid, "the same connection");
        await assert.rejects(idOf(kept), isPassing);
      });
      await assert.rejects(idOf(kept), isPassing);
    });
  });

test("a statement takes the same values and gives the same rows in either kind of transaction", async () => {
  const every = statement(
    "test.every_type",
    {},
    `SELECT $1::text AS text, $2::bigint AS bigint, $3::timestamptz AS at, $4::text[] AS texts, $5::jsonb AS stored, $6::boolean AS flag,
       $7::int AS number, $8::bytea AS bytes, $9::text AS missing, sum($2::bigint) OVER () AS total, json_build_object('a', $7::int) AS built,
       'open'::task_state AS state, ARRAY[$3::timestamptz] AS times`,
  );
  const values = [
    ...["a", "9007199254740993", new Date("2026-11-22T20:24:09.123Z"), ["b", "c"], JSON.stringify({ d: [1, null] })],
    ...[true, 42, Buffer.from([0, 255]), undefined],
  ];
  const light = await lightTransaction((tx) => every.on(tx, ...values));
  assert.deepEqual(await transaction((tx) => every.on(connectionOf(tx), ...values)), light);
  assert.deepEqual((light[0] as { total?: unknown }).total, "9007199254740993");
});

test("work that goes on after a failed statement sends nothing after the rollback", async () => {
  let late: Promise<unknown> | undefined;
  const failing = lightTransaction(async (tx) => {
    late = idOf(tx).then(() => delay(100).then(() => tx.query({ text: "CREATE TABLE late_write ()", values: [] })));
    late.catch(() => undefined);
    await tx.query({ text: "SELECT 1/0", values: [] });
  });
  await assert.rejects(failing, /division by zero/);
  await assert.rejects(Promise.resolve(late), { kind: "TransactionAlreadyClosed" });
});

test("a claim is one statement without a transaction; a release sends its statements with BEGIN and COMMIT, and no others", async () => {
  const [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  const [known, { taskId }] = [
    await taskAt("claimed", { requester, provider }),
    await taskAt("open", { requester, provider }),
  ];
  await perform(provider, "release", known);
  const sentBy = async (verb: "claim" | "release") => {
    const sent: string[] = [];
    const query = pg.Client.prototype.query;
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const [text] = args as [string | { text: string }];
      sent.push((typeof text === "string" ? text : text.text).trimStart().split(/\s/)[0] ?? "");
      return Reflect.apply(query, this, args);
    } as typeof query;
    try {
      const body = { public_id: provider.publicId, task_id: taskId };
      const { error } = await call("POST", `/api/v1/jobs/${verb}.php`, { token: provider.token, body });
      assert.equal(error, undefined);
    } finally {
      pg.Client.prototype.query = query;
    }
    return sent;
  };
  assert.deepEqual(await sentBy("claim"), ["SELECT", "SELECT", "WITH"]);
  const released = await sentBy("release");
  assert.deepEqual(released.slice(released.indexOf("BEGIN")), ["BEGIN", "SELECT", "SELECT", "WITH", "COMMIT"]);
  assert.equal(pool().waitingCount, 0);
});

test("a session whose server does not answer in time is replaced by another", { timeout: 60_000 }, () =>
  // The lock stands for a server that no longer answers: its own time-out comes later.
  whileLocked("SELECT pg_advisory_lock(4711)", [], async () => {
    const replaced = Promise.withResolvers<void>();
    let sessions = 0;
    let hasEnded = false;
    const kept = keepSession({
      channel: "test",
      onNotification: () => undefined,
      queryTimeoutMs: 300,
      async work(session, signal) {
        sessions += 1;
        if (sessions > 1) return replaced.resolve();
        const lock = session.query({ name: "lock", text: "SELECT pg_advisory_lock($1)", values: [4711] });
        await assert.rejects(lock);
        // The sequencer goes on after errors of the server: only this tells it that the session is over.
        hasEnded = signal.aborted;
      },
    });
    await replaced.promise;
    await kept.stop();
    assert.equal(hasEnded, true);
  }),
);
