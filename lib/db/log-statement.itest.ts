import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { canonicalJson } from "#lib/kernel/canonical-json.ts";
import { expireDueTasks } from "#lib/tasks/advance.ts";
import { testService } from "#testing/client.ts";
import { verifiedAgent } from "#testing/factories.ts";
import { workerContext } from "#testing/live.ts";
import { fc } from "#testing/seed.ts";
import { expire, postTask, taskAt } from "#testing/workflow.ts";
import { audit } from "./audit.ts";
import { pool } from "./client.ts";
import { lightTransaction } from "./tx.ts";

// The database puts each statement together from parts, because only it knows the statement before. The bytes must be those that the SDK's
// verifier computes.

testService();

const sha256 = (bytes: string) => createHash("sha256").update(bytes, "utf8").digest();

/** Every statement, chain by chain. */
async function statements() {
  const { rows } = await pool().query<{ chain: string; n: number; hash: Buffer; statement: string }>(
    "SELECT chain, n, hash, statement FROM log_statements ORDER BY chain, n",
  );
  return rows;
}

async function assertCanonical(): Promise<number> {
  let previous: { chain: string; hash: Buffer } | undefined;
  const all = await statements();
  for (const { chain, n, hash, statement } of all) {
    const value = JSON.parse(statement);
    assert.equal(statement, canonicalJson(value));
    assert.deepEqual(hash, sha256(statement));
    const before = previous?.chain === chain ? previous.hash.toString("hex") : undefined;
    assert.equal(value.prev, before === undefined ? null : `sha256:${before}`);
    assert.deepEqual([value.chain, value.n], [chain, n]);
    previous = { chain, hash };
  }
  return all.length;
}

test("a statement with any facts has the bytes of its canonical JSON, and names the one before it", async () => {
  const agent = await verifiedAgent();
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), async (facts) => {
      const plain = JSON.parse(JSON.stringify(facts)) as Record<string, unknown>;
      const event = { type: "identity.grace", recipients: [agent.publicId], data: {}, log: { facts: plain } } as const;
      const entry = { action: "test", subjectKind: "identity", subjectId: agent.publicId, event } as const;
      await lightTransaction((tx) => audit(tx, workerContext(), entry));
    }),
    { numRuns: 100 },
  );
  assert.ok((await assertCanonical()) >= 100);
});

test("statements of new, worked on and expired tasks have the bytes of their canonical JSON", async () => {
  const [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  await taskAt("completed", { requester, provider });
  const expiring = [await postTask(requester), await postTask(requester), await postTask(requester)];
  for (const { task_id } of expiring) await expire(task_id);
  assert.equal(await expireDueTasks(workerContext()), expiring.length);
  await assertCanonical();
  const chains = new Set(expiring.map(({ task_id }) => task_id));
  const ends = (await statements()).filter(({ chain, n }) => chains.has(chain) && n === 2);
  assert.deepEqual(
    ends.map(({ statement }) => JSON.parse(statement).event),
    Array(expiring.length).fill("task.expired"),
  );
});
