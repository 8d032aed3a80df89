import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import type { FeeStatementAnswer } from "#lib/settlements/schema.ts";
import { runHere } from "#testing/admin-command.ts";
import { configure } from "#testing/configuration.ts";
import { callAs, succeeded } from "#testing/factories.ts";
import { catchUp, completedLive, fundedLive, type LiveWork, liveService, settlementOf } from "#testing/live.ts";
import { readStatementPage } from "./page-reads/fee-statement.ts";

const live = liveService({ settleSeconds: 0 });

const YEAR = String(new Date().getUTCFullYear());

async function exported(year = YEAR) {
  const { text } = await runHere("tax-year-export", year);
  const lines = String(text).trimEnd().split(/\r?\n/);
  const head = lines.filter((line) => line.startsWith("#"));
  const [names = [], ...rows] = lines.slice(head.length).map((line) => line.split(","));
  const sum = (column: string) => rows.reduce((total, row) => total + Number(row[names.indexOf(column)]), 0);
  return { head: head.join("\n"), rows, sum };
}

const ledger = async (where: string) =>
  (
    await pool().query(
      `SELECT coalesce(0 - sum(e.amount_pence), 0)::int AS sum FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
       WHERE t.payment_mode = 'LIVE' AND ${where}`,
    )
  ).rows[0].sum;

test("the export of a year adds up to the ledger and to what Stripe has, by seller and quarter", async () => {
  const [whole, reversed, refunded] = [
    await completedLive(live, 2_001),
    await completedLive(live, 1_500),
    await completedLive(live, 999),
  ];
  await fundedLive(live);
  await catchUp(live);
  await runHere("reverse-transfer", (await settlementOf(reversed)).settlement_id, "--pence", "100");
  await runHere("refund", (await settlementOf(refunded)).settlement_id, "--pence", "300");
  await catchUp(live);
  const { head, rows, sum } = await exported();
  assert.equal(sum("consideration_pence"), await ledger("e.account = 'cash' AND t.kind IN ('transfer', 'reversal')"));
  assert.equal(sum("fees_pence"), await ledger("e.account = 'platform_fees'"));
  const atStripe = live.stripe.books().transfers.reduce((total, { sentPence }) => total + sentPence, 0);
  assert.equal(sum("consideration_pence"), atStripe - 100);
  assert.deepEqual([rows.length, sum("deals")], [3, 3]);
  const mine = rows.find(([, , seller]) => seller === whole.provider.publicId);
  assert.deepEqual(mine?.slice(-4), ["GBP", "1800", "201", "1"]);
  for (const field of ["legal name", "date of birth", "tax identification numbers", "calendar year", "Not tax advice"])
    assert.match(head, new RegExp(field));
  await pool().query("UPDATE payments SET forgotten = true WHERE contract_id = $1", [whole.contractId]);
  assert.equal((await exported()).rows.length, 2, "a forgotten rehearsal is no income");
  assert.deepEqual((await exported("2020")).rows, []);
  await assert.rejects(runHere("tax-year-export", "26"), /calendar year/);
});

type Answer = z.output<typeof FeeStatementAnswer>;
const ask = async (work: LiveWork, agent = work.provider) =>
  callAs<Answer>(agent, "GET", "/api/v1/settlements/fee_statement.php", {
    settlement_id: (await settlementOf(work)).settlement_id,
  });

test("the provider, who pays the fee, gets its statement, and nobody else does; without a rate it claims no VAT", async () => {
  const work = await completedLive(live, 2_001);
  await catchUp(live);
  const answer = await ask(work);
  succeeded(answer);
  const { statement, html } = answer.body;
  assert.deepEqual([statement.gross_pence, statement.fee_pence, statement.vat], [2_001, 201, null]);
  assert.equal(statement.supplier.vat_number, null);
  assert.match(html, /No VAT is claimed/);
  assert.equal((await ask(work, work.requester)).error?.code, "not_found");
  assert.equal((await ask(await fundedLive(live))).error?.code, "state_conflict");
  assert.equal(await readStatementPage(statement.statement_id), html);
});

test("with a configured rate the statement shows the VAT that the fee contains, also after a refund", async () => {
  await configure({
    FEE_VAT_PERCENT: "20",
    FEE_VAT_NUMBER: "GB123456789",
    FEE_STATEMENT_NAME: "Example <Ltd>",
    FEE_STATEMENT_ADDRESS: "1 Example Street",
  });
  const work = await completedLive(live, 2_001);
  await catchUp(live);
  const answer = await ask(work);
  succeeded(answer);
  assert.deepEqual(answer.body.statement.vat, { percent: 20, vat_pence: 34, ex_vat_pence: 167 });
  assert.match(answer.body.html, /Example &lt;Ltd&gt;<br>1 Example Street<br>VAT number GB123456789/);
  await runHere("refund", (await settlementOf(work)).settlement_id);
  await catchUp(live);
  const after = await ask(work);
  succeeded(after);
  assert.deepEqual(after.body.statement.vat, { percent: 20, vat_pence: 0, ex_vat_pence: 0 });
  await configure();
});
