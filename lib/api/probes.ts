import { pool } from "#lib/db/client.ts";
import { pendingMigrations } from "#lib/db/migrate.ts";

const headers = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };

/** The process answers. */
export function healthz(): Response {
  return new Response(JSON.stringify({ ok: true }), { headers });
}

/** The process can serve: the database answers and has every migration. 503 otherwise, with what is missing. */
export async function readyz(): Promise<Response> {
  const checks = { database: false, migrations: false };
  try {
    const pending = await pendingMigrations(pool());
    checks.database = true;
    checks.migrations = pending.length === 0;
  } catch {
    // The answer says which check failed; the log has the connection error already.
  }
  const ok = checks.database && checks.migrations;
  return new Response(JSON.stringify({ ok, checks }), {
    status: ok ? 200 : 503,
    headers: ok ? headers : { ...headers, "Retry-After": "2" },
  });
}
