import { randomBytes } from "node:crypto";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { splitGross } from "#lib/settlements/fee.ts";
import { agreedLive, type Live, type LiveWork } from "#lib/testing/live.ts";
import { accountChanged, newAccount } from "#lib/testing/stripe/accounts.ts";

export type Planted = LiveWork & { settlementId: string };

const HAS_SEQUENCE = new Set(["identities", "tasks", "settlements"]);

/** Copies one row so many times, each with other values in the columns given. */
async function copy(table: string, where: string, id: string, changes: object[]): Promise<void> {
  const own = HAS_SEQUENCE.has(table)
    ? `|| jsonb_build_object('seq', nextval(pg_get_serial_sequence('${table}', 'seq')))`
    : "";
  await pool().query(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(origin, change ${own})).*
     FROM ${table} origin, jsonb_array_elements($2::jsonb) change WHERE origin.${where} = $1`,
    [id, JSON.stringify(changes)],
  );
}

/**
 * Many accepted LIVE agreements at once, over these amounts, each with a ready provider of its own: one is made through the
 * interface, the others are copies of its rows.
 */
export async function plantAgreements(live: Live, grossPence: number[]): Promise<Planted[]> {
  const model = await agreedLive(live);
  const { rows } = await pool().query("SELECT id FROM settlements WHERE contract_id = $1", [model.contractId]);
  const planted = grossPence.map((gross) => {
    const account = newAccount(live.stripe.world, 2);
    const provider = { ...model.provider, publicId: newId("agt") };
    account.metadata = { guildhall_public_id: provider.publicId };
    Object.assign(account, { transfers: "active", payouts: "active", requirements: [], verified: true });
    accountChanged(live.stripe.world, account);
    const work: Planted = {
      ...model,
      provider,
      taskId: newId("tsk"),
      contractId: newId("con"),
      settlementId: newId("stl"),
      amountPence: gross,
      account: account.id,
    };
    return work;
  });
  await copy(
    "identities",
    "id",
    model.provider.publicId,
    planted.map(({ provider }) => ({
      id: provider.publicId,
      token_digest: `\\x${randomBytes(32).toString("hex")}`,
      host: `${provider.publicId.toLowerCase().replaceAll("_", "-")}.example.com`,
    })),
  );
  await copy(
    "payment_accounts",
    "identity_id",
    model.provider.publicId,
    planted.map(({ provider, account }) => ({
      id: newId("acc"),
      identity_id: provider.publicId,
      stripe_account_id: account,
      named_identity_id: provider.publicId,
    })),
  );
  await copy(
    "tasks",
    "id",
    model.taskId,
    planted.map(({ taskId, provider, amountPence }) => ({
      id: taskId,
      provider_id: provider.publicId,
      budget_pence: amountPence,
      client_request_id: newId("req"),
    })),
  );
  await copy(
    "contracts",
    "id",
    model.contractId,
    planted.map(({ contractId, taskId, provider, amountPence }) => ({
      id: contractId,
      task_id: taskId,
      provider_id: provider.publicId,
      amount_pence: amountPence,
    })),
  );
  await copy(
    "settlements",
    "id",
    rows[0].id,
    planted.map(({ settlementId, contractId, taskId, provider, amountPence }) => {
      const { feePence, netPence } = splitGross(amountPence);
      return {
        id: settlementId,
        contract_id: contractId,
        task_id: taskId,
        provider_id: provider.publicId,
        gross_pence: amountPence,
        fee_pence: feePence,
        net_pence: netPence,
      };
    }),
  );
  return planted;
}
