import { openDatabase } from "#lib/boot/database.ts";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { generateClient } from "#lib/db/generate.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { keepOthersFromWriting } from "#lib/kernel/files/umask.ts";
import type { Finding } from "#lib/payments/reconciliation/differences.ts";
import type { Reconciled } from "#lib/payments/reconciliation/reconcile.ts";

// `npm run reconcile`: reads at Stripe everything that can still change, records what the webhooks missed, and prints as JSON where
// the ledger and Stripe do not agree. With --all it reads everything that was ever paid, which takes several calls for each settlement.
// Works with or without a running service; exits 1 on a difference or a failure.
process.chdir(import.meta.dirname);
keepOthersFromWriting();
Object.assign(process.env, { NODE_ENV: "production" });

async function main(args: readonly string[]): Promise<Reconciled> {
  const unknown = args.find((arg) => arg !== "--all");
  if (unknown) throw new Error(`Unknown argument "${unknown}": the only one is --all.`);
  const env = loadEnv();
  if (!env.stripe) throw new Error("LIVE is not configured here: there is nothing to reconcile.");
  await generateClient();
  const database = await openDatabase(env);
  try {
    await database.asOwner((ownerUrl) => updateDatabase(database.url, ownerUrl));
    const { reconcile } = await import("#lib/payments/reconciliation/reconcile.ts");
    const { systemClock } = await import("#lib/kernel/clock.ts");
    const { newId } = await import("#lib/kernel/ids.ts");
    const ctx = { actor: { kind: "system", id: "reconcile" }, clock: systemClock, requestId: newId("req") } as const;
    return await reconcile(ctx, Number.MAX_SAFE_INTEGER, args.includes("--all"));
  } finally {
    const { closeDatabase } = await import("#lib/db/client.ts");
    await closeDatabase();
    await database.close();
  }
}

function viewFinding({ subjectId, settlementId, dueBy = null, ...finding }: Finding) {
  return { ...finding, subject_id: subjectId, settlement_id: settlementId, due_by: dueBy };
}

try {
  const { checked, differences, waiting } = await main(process.argv.slice(2));
  const ok = differences.length === 0;
  console.log(
    JSON.stringify(
      { ok, checked, differences: differences.map(viewFinding), waiting: waiting.map(viewFinding) },
      null,
      2,
    ),
  );
  if (!ok) process.exitCode = 1;
} catch (error) {
  const { code = "failed", message } = error as { code?: string; message: string };
  console.log(JSON.stringify({ ok: false, error: { code, message } }, null, 2));
  process.exitCode = 1;
}
