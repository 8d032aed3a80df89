import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { testService } from "#testing/client.ts";
import { keepSession } from "./session.ts";

const service = testService();

test("a session whose server does not answer in time is replaced by another", { timeout: 60_000 }, async () => {
  // The lock stands for a server that no longer answers: its own time-out comes later.
  const blocker = new pg.Client({ connectionString: service.url });
  await blocker.connect();
  await blocker.query("SELECT pg_advisory_lock(4711)");
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
  await blocker.end();
  assert.equal(hasEnded, true);
});
