import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { beforeEach, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { metrics } from "#lib/kernel/metrics.ts";
import { forFile } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import {
  AUTH_SECRET,
  clock,
  delivered,
  happen,
  inner,
  listener,
  resetClock,
  restartDispatchers,
  setHook,
  show,
  shown,
  signIns,
  startDeliveries,
  stopDispatchers,
  subscriber,
  verify,
  wait,
  webhook,
} from "#testing/deliveries.ts";
import { succeeded } from "#testing/factories.ts";
import type { Receiver } from "#testing/outside/receivers.ts";
import { channelRows, startNotifying } from "../notifications/deliver.ts";
import { startDispatcher, webhookRows } from "../webhooks/deliver.ts";
import { WAITS } from "./schedule.ts";

// What webhooks and notifications have in common: turns, waits, ends and leases.

forFile(startDeliveries);
beforeEach(resetClock);

/** Somebody to whom something is delivered. */
type Someone = {
  id: string;
  receiver: Receiver;
  happens(count: number): Promise<unknown>;
  state(): Promise<{ state: string; last_error: string | null } | null | undefined>;
  /** Sets the receiver up again. */
  again(): Promise<void>;
  /** What arrived, each once, as far as one can be told from another. */
  arrived(): unknown[];
};

const KINDS = {
  webhooks: {
    start: startDispatcher,
    rows: webhookRows,
    table: "webhooks",
    key: "identity_id",
    nothingWaits: "UPDATE webhooks SET pending = false",
    async someone(): Promise<Someone> {
      const { agent, receiver, secret } = await subscriber();
      // Checked as they arrive: the verifier refuses what is older than five minutes.
      const positions = new Set<number>();
      receiver.answer = (response, received) => {
        positions.add(verify(secret, received).data.position);
        response.writeHead(204).end();
      };
      return {
        id: agent.publicId,
        receiver,
        happens: (count) => happen([agent], ...Array<"task.claimed">(count).fill("task.claimed")),
        state: async () => (await show(agent)).webhook,
        again: async () => succeeded(await webhook(agent, "", { url: `https://${receiver.host}/hook` })),
        arrived() {
          const inOrder = [...positions];
          assert.deepEqual(
            inOrder,
            inOrder.toSorted((one, other) => one - other),
          );
          return inOrder;
        },
      };
    },
  },
  notifications: {
    start: startNotifying,
    rows: channelRows,
    table: "owner_channels",
    key: "id",
    nothingWaits: "UPDATE notifications SET ended_at = now()",
    async someone(): Promise<Someone> {
      const { owner, receiver, channelId } = await listener();
      return {
        id: channelId,
        receiver,
        happens: (count) => signIns(owner, count),
        state: async () => (await shown(owner)).channels[0],
        again: async () => succeeded(await setHook(owner, `https://${receiver.host}/hook`), 201),
        arrived: () => receiver.received,
      };
    },
  },
};

const FAULTS: ((receiver: Receiver) => unknown)[] = [
  (receiver) => receiver.die(),
  // Answers nothing.
  (receiver) => answerBy(receiver, () => undefined),
  (receiver) => answerBy(receiver, (response) => response.writeHead(308, { Location: "https://127.0.0.1/" }).end()),
  // Says 200 in something that is not HTTP.
  (receiver) => answerBy(receiver, (response) => response.socket?.end("200 OK, trust me\r\n\r\n")),
  (receiver) => inner.add(receiver.host),
];

const answerBy = (receiver: Receiver, answer: (response: ServerResponse) => unknown) =>
  Object.assign(receiver, { answer });

for (const [name, kind] of Object.entries(KINDS))
  describe(name, () => {
    test("each failure makes the next attempt wait longer; after the last one nothing more is sent until it is set up again", async () => {
      const one = await kind.someone();
      const accepts = one.receiver.answer;
      answerBy(one.receiver, (response) => response.writeHead(302, { Location: "https://evil.example/" }).end());
      await one.happens(2);
      await delivered();
      for (const [index, seconds] of WAITS.entries()) {
        assert.equal(one.receiver.received.length, index + 1);
        const { state, last_error: error } = (await one.state()) ?? {};
        assert.equal(state, "failing");
        assert.match(error ?? "", /redirect \(302\)/);
        await wait(seconds / 2);
        assert.equal(one.receiver.received.length, index + 1, "not sooner");
        await wait(seconds / 2 + 1);
      }
      assert.equal(one.receiver.received.length, 10);
      assert.equal((await one.state())?.state, "disabled");
      await one.happens(1);
      await wait(100_000);
      assert.equal(one.receiver.received.length, 10);
      one.receiver.answer = accepts;
      resetClock();
      await one.again();
      await one.happens(1);
      await wait(1);
      assert.ok(one.receiver.received.length > 10);
      const { state, last_error: error } = (await one.state()) ?? {};
      assert.deepEqual([state, error], ["active", null]);
    });

    test("410 ends deliveries at once; Retry-After puts the next attempt off by at most an hour", async () => {
      const [leaving, busy] = [await kind.someone(), await kind.someone()];
      answerBy(leaving.receiver, (response) => response.writeHead(410).end());
      answerBy(busy.receiver, (response) => response.writeHead(503, { "Retry-After": "86400" }).end());
      metrics().deliveries.reset();
      for (const each of [leaving, busy]) await each.happens(2);
      await delivered();
      assert.equal((await leaving.state())?.state, "disabled");
      await wait(3_500);
      assert.equal(busy.receiver.received.length, 1);
      await wait(120);
      assert.equal(busy.receiver.received.length, 2);
      assert.equal(leaving.receiver.received.length, 1);
      const counted = (await metrics().deliveries.get()).values.map(({ labels, value }) => [labels.outcome, value]);
      assert.deepEqual(Object.fromEntries(counted), { gone: 1, status: 2 }, "each attempt is counted");
    });

    test("dead, silent, redirecting, lying and private receivers delay nobody: the others get everything", {
      timeout: 240_000,
    }, async (t) => {
      const all = await Promise.all(Array.from({ length: 10 }, () => kind.someone()));
      const [bad, good] = [all.slice(0, FAULTS.length), all.slice(FAULTS.length)];
      for (const [index, fault] of FAULTS.entries()) await fault(bad[index]?.receiver as Receiver);
      const began = performance.now();
      for (let round = 0; round < 5; round += 1) await Promise.all(all.map((each) => each.happens(3)));
      // An answer that took too long on a busy machine is followed by a repetition.
      while (good.some((each) => each.arrived().length < 15)) await delay(50);
      const seconds = (performance.now() - began) / 1_000;
      await delivered();
      for (const each of bad) {
        assert.ok(each.receiver.received.length <= 2);
        assert.equal((await each.state())?.state, "failing");
      }
      const hidden = bad.at(-1);
      assert.equal(hidden?.receiver.received.length, 0);
      assert.match((await hidden?.state())?.last_error ?? "", /not on the public internet/);
      // Those that answer nothing would delay what follows.
      await pool().query(`UPDATE ${kind.table} SET enabled = false WHERE ${kind.key} = ANY ($1)`, [
        bad.map(({ id }) => id),
      ]);
      t.diagnostic(`75 deliveries to 5 good receivers after ${seconds.toFixed(1)} s, in parallel with 5 bad ones`);
    });

    test("each is delivered by one of several processes, and what a dead one held is taken over", async () => {
      const one = await kind.someone();
      const second = kind.start({ clock });
      try {
        for (let round = 0; round < 5; round += 1) await one.happens(2);
        while (one.receiver.received.length < 10) await delay(20);
        await Promise.all([delivered(), second.idle()]);
        assert.equal(one.arrived().length, 10);
        assert.equal(one.receiver.received.length, 10);
      } finally {
        await second.stop();
      }
      // A process that claims, and dies.
      await stopDispatchers();
      await one.happens(1);
      assert.equal((await kind.rows.claim("dead process", clock.now(), "prompt", 100)).length, 1);
      restartDispatchers();
      await delivered();
      assert.equal(one.receiver.received.length, 10);
      await wait(31);
      assert.equal(one.receiver.received.length, 11);
    });

    test("deliveries go on when AUTH_SECRET is replaced, and end where neither secret that is known can be the right one", async () => {
      const one = await kind.someone();
      const NEW = "the-secret-that-takes-its-place-one-day";
      try {
        // The second time, what is stored is under the new one.
        for (const previous of [AUTH_SECRET, ""]) {
          await configure({ AUTH_SECRET: NEW, AUTH_SECRET_PREVIOUS: previous });
          await one.happens(1);
          await delivered();
        }
        assert.equal(one.arrived().length, 2);
      } finally {
        await configure();
      }
      await one.happens(1);
      await delivered();
      assert.equal(one.receiver.received.length, 2);
      const { state, last_error: error } = (await one.state()) ?? {};
      assert.equal(state, "disabled");
      assert.match(error ?? "", /can no longer be read/);
    });

    test("a receiver is due while it is enabled, something waits for it and its time has come, in the lane of its last attempt", async () => {
      await stopDispatchers();
      try {
        const one = await kind.someone();
        await pool().query(kind.nothingWaits);
        assert.equal(await kind.rows.isAnyDue(clock.now()), false);
        await one.happens(1);
        const cases: [string, "prompt" | "slow" | "failing" | undefined][] = [
          ["due_at = now() - interval '1 second'", "prompt"],
          ["slow = true", "slow"],
          ["failures = 3", "failing"],
          ["slow = false, failures = 0, due_at = now() + interval '1 minute'", undefined],
          ["due_at = now() - interval '1 second', enabled = false", undefined],
          ["enabled = true, held_until = now() + interval '1 second'", undefined],
          ["held_until = NULL", "prompt"],
        ];
        for (const [change, lane] of cases) {
          await pool().query(`UPDATE ${kind.table} SET holder = NULL, ${change} WHERE ${kind.key} = $1`, [one.id]);
          assert.equal(await kind.rows.isAnyDue(new Date()), lane !== undefined, change);
          for (const each of ["prompt", "slow", "failing"] as const) {
            const claimed = await kind.rows.claim("test", new Date(), each, 10);
            assert.deepEqual(
              claimed.map(({ id }) => id),
              each === lane ? [one.id] : [],
              `${change}: ${each}`,
            );
          }
          await kind.rows.abandon("test");
        }
      } finally {
        restartDispatchers();
      }
    });
  });
