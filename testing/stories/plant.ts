import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { digestSecret, newSecret } from "#lib/kernel/secrets.ts";
import { splitGross } from "#lib/settlements/fee.ts";
import { activate, newAccount } from "#stripe-stand-in/accounts.ts";
import { agreedLive, type Live, type LiveWork } from "#testing/live.ts";
import type { Work } from "#testing/workflow.ts";

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

/** Many accepted agreements at once, over these amounts: copies of the rows of one, each with a provider of its own. */
export async function copyAgreement<W extends Work>(
  model: W,
  grossPence: number[],
): Promise<(W & { settlementId: string })[]> {
  const { rows } = await pool().query("SELECT id FROM settlements WHERE contract_id = $1", [model.contractId]);
  const made = grossPence.map((gross) => ({
    ...model,
    provider: { ...model.provider, publicId: newId("agt"), token: newSecret("ghm") },
    taskId: newId("tsk"),
    contractId: newId("con"),
    settlementId: newId("stl"),
    amountPence: gross,
  }));
  await copy(
    "identities",
    "id",
    model.provider.publicId,
    made.map(({ provider }) => ({
      id: provider.publicId,
      token_digest: `\\x${digestSecret(provider.token).toString("hex")}`,
      host: `${provider.publicId.toLowerCase().replaceAll("_", "-")}.example.com`,
    })),
  );
  await copy(
    "tasks",
    "id",
    model.taskId,
    made.map(({ taskId, provider, amountPence }) => ({
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
    made.map(({ contractId, taskId, provider, amountPence }) => ({
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
    made.map(({ settlementId, contractId, taskId, provider, amountPence }) => {
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
  return made;
}

/** Many accepted LIVE agreements at once, each with a ready provider; one is made through the interface. */
export async function plantAgreements(live: Live, grossPence: number[]): Promise<Planted[]> {
  const model = await agreedLive(live);
  const planted = (await copyAgreement(model, grossPence)).map((work): Planted => {
    const account = newAccount(live.stripe.world, 2);
    account.metadata = { guildhall_public_id: work.provider.publicId };
    activate(live.stripe.world, account);
    return { ...work, account: account.id };
  });
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
  return planted;
}
