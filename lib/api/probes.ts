import { pool } from "#lib/db/client.ts";
import { pendingMigrations } from "#lib/db/migrate.ts";
import { securityHeaders } from "#lib/kernel/headers.ts";

const headersOf = () => ({
  ...securityHeaders("data"),
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
});

/** 200 as long as the process answers. */
export function healthz(): Response {
  return new Response(JSON.stringify({ ok: true }), { headers: headersOf() });
}

type Checks = { database: boolean; migrations: boolean };

/** Probes within a second share one check, because anyone can send them. */
const CHECKED_MS = 1_000;
const shared = globalThis as { guildhallReadiness?: { at: number; checks: Promise<Checks> } };

/** 200 if the process can serve, that is, if the database answers and has every migration; otherwise 503 and which check failed. */
export async function readyz(): Promise<Response> {
  const now = performance.now();
  let last = shared.guildhallReadiness;
  if (!last || now - last.at >= CHECKED_MS) {
    last = { at: now, checks: check() };
    shared.guildhallReadiness = last;
  }
  const checks = await last.checks;
  const ok = checks.database && checks.migrations;
  return new Response(JSON.stringify({ ok, checks }), {
    status: ok ? 200 : 503,
    headers: ok ? headersOf() : { ...headersOf(), "Retry-After": "2" },
  });
}

async function check(): Promise<Checks> {
  try {
    const pending = await pendingMigrations(pool());
    return { database: true, migrations: pending.length === 0 };
  } catch {
    // The answer says which check failed; the log has the connection error already.
    return { database: false, migrations: false };
  }
}
