import assert from "node:assert/strict";
import { test } from "node:test";
import { testService } from "#testing/client.ts";
import { registerAgent, verifiedAgent } from "#testing/factories.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { query } from "#testing/with-client.ts";
import { taskAt } from "#testing/workflow.ts";
import { FROZEN_COLUMNS } from "./roles.ts";

const service = testService({}, async () => {
  await taskAt("completed", { requester: await registerAgent(), provider: await verifiedAgent() });
});

/** Even the tables' owner is refused: by a trigger (23001) or a constraint (23514). */
async function assertRefused(sql: string, code = "23001"): Promise<void> {
  await changesNothing(sql, () => assert.rejects(query(service.ownerUrl, sql), { code }, sql));
}

const FROZEN: Record<string, Record<string, string>> = {
  contracts: {
    id: "'con_x'",
    task_id: "'tsk_x'",
    requester_id: "'agt_x'",
    provider_id: "'agt_x'",
    payment_mode: "'LIVE'",
    amount_pence: "amount_pence + 1",
    terms: "'{}'",
    terms_canonical: "terms_canonical || ' '",
    terms_hash: "'sha256:0'",
    created_at: "created_at + interval '1 second'",
  },
  settlements: {
    id: "'stl_x'",
    contract_id: "'con_x'",
    task_id: "'tsk_x'",
    requester_id: "'agt_x'",
    provider_id: "'agt_x'",
    payment_mode: "'LIVE'",
    gross_pence: "gross_pence + 1",
    fee_pence: "fee_pence + 1",
    net_pence: "net_pence - 1",
    fee_policy: "'{}'",
    recorded_at: "recorded_at + interval '1 second'",
  },
};

test("the rights of the service's role leave out the same columns that triggers freeze", () => {
  const names = Object.entries(FROZEN).map(([table, columns]) => [table, Object.keys(columns).sort()]);
  assert.deepEqual(
    names,
    Object.entries(FROZEN_COLUMNS).map(([table, columns]) => [table, columns.toSorted()]),
  );
});

for (const [table, columns] of Object.entries(FROZEN)) {
  for (const [column, value] of Object.entries(columns)) {
    test(`${table}.${column} is what it was when it was written`, () =>
      assertRefused(`UPDATE ${table} SET ${column} = ${value}`));
  }
  test(`${table} lose no row`, () => assertRefused(`DELETE FROM ${table}`));
}

for (const table of ["ledger_transactions", "ledger_entries", "audit_events"]) {
  test(`${table} only grow: no change, no deletion, no truncation`, async () => {
    const columns = await query(
      service.ownerUrl,
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = '${table}'`,
    );
    assert.ok(columns.length > 3);
    for (const { name } of columns as { name: string }[]) await assertRefused(`UPDATE ${table} SET ${name} = ${name}`);
    await assertRefused(`DELETE FROM ${table}`);
    await assertRefused(`TRUNCATE ${table} CASCADE`);
  });
}

test("contracts and settlements cannot be emptied", async () => {
  await assertRefused("TRUNCATE contracts CASCADE");
  await assertRefused("TRUNCATE settlements CASCADE");
});

test("a task keeps the payment mode that it was recorded with", () =>
  assertRefused("UPDATE tasks SET payment_mode = 'LIVE'"));

test("a booking that does not balance, or has one side, or none, is refused at its commit", async () => {
  const transaction = `INSERT INTO ledger_transactions (settlement_id, kind, payment_mode, at) SELECT id, 'void', payment_mode, now() FROM settlements`;
  const entries = (values: string) =>
    `WITH made AS (${transaction} RETURNING id) INSERT INTO ledger_entries (transaction_id, account, amount_pence)
     SELECT made.id, side.account::ledger_account, side.amount FROM made, (VALUES ${values}) AS side (account, amount)`;
  await assertRefused(transaction, "23514");
  await assertRefused(entries("('cash', 100)"), "23514");
  await assertRefused(entries("('cash', 100), ('held', -99)"), "23514");
});

test("a later entry cannot tip a booking that balanced", () =>
  assertRefused(
    "INSERT INTO ledger_entries (transaction_id, account, amount_pence) SELECT min(id), 'cash', 1 FROM ledger_transactions",
    "23514",
  ));

test("a kind of booking is made once per settlement", () =>
  assertRefused(
    "INSERT INTO ledger_transactions (settlement_id, kind, payment_mode, at) SELECT settlement_id, kind, payment_mode, at FROM ledger_transactions",
    "23505",
  ));

test("a settlement whose parts do not add up is refused", () =>
  assertRefused(
    `INSERT INTO settlements (id, contract_id, task_id, requester_id, provider_id, payment_mode, gross_pence, fee_pence, net_pence, fee_policy, funding, recorded_at)
     SELECT 'stl_x', contract_id, task_id, requester_id, provider_id, payment_mode, 100, 10, 91, fee_policy, funding, recorded_at FROM settlements`,
    "23514",
  ));
