import { openDatabase } from "#lib/boot/database.ts";
import { generateClient } from "#lib/db/generate.ts";
import { migrate } from "#lib/db/migrate.ts";
import { installJobQueue } from "#lib/jobs/queue.ts";
import { loadEnv } from "#lib/kernel/env.ts";

// `npm run reconcile`: reads at Stripe all that can still change, writes down what the webhooks missed, and prints as JSON where
// the books and Stripe do not agree. Works beside a running service and without one; exits 1 on a difference or a failure.
process.chdir(import.meta.dirname);
Object.assign(process.env, { NODE_ENV: "production" });

async function main(): Promise<{ differences: unknown[] }> {
  const env = loadEnv();
  if (!env.stripe) throw new Error("LIVE is not configured here: there is nothing to reconcile.");
  await generateClient();
  const database = await openDatabase(env);
  try {
    await migrate(database.url);
    await installJobQueue(database.url);
    const { reconcile } = await import("#lib/payments/reconcile.ts");
    const { systemClock } = await import("#lib/kernel/clock.ts");
    const { newId } = await import("#lib/kernel/ids.ts");
    const ctx = { actor: { kind: "system", id: "reconcile" }, clock: systemClock, requestId: newId("req") } as const;
    return await reconcile(ctx, Number.MAX_SAFE_INTEGER);
  } finally {
    const { closeDatabase } = await import("#lib/db/client.ts");
    await closeDatabase();
    await database.close();
  }
}

try {
  const result = await main();
  console.log(JSON.stringify({ ok: result.differences.length === 0, ...result }, null, 2));
  if (result.differences.length > 0) process.exitCode = 1;
} catch (error) {
  const { code = "failed", message } = error as { code?: string; message: string };
  console.log(JSON.stringify({ ok: false, error: { code, message } }, null, 2));
  process.exitCode = 1;
}
