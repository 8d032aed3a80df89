import { pool } from "#lib/db/client.ts";
import { pendingMigrations } from "#lib/db/migrate.ts";
import { cachedRead } from "#lib/kernel/cached-read.ts";
import { securityHeaders } from "#lib/kernel/headers.ts";
import { readLogs } from "#lib/record/log/read.ts";
import { readUnplacedEvents } from "#lib/record/unplaced-events.ts";

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
/**
 * Whether the transparency log is signed, and why not; and how many events wait for their positions, at most 10,000, and for how
 * long, in seconds. This does not decide whether the process can serve.
 */
type Details = {
  log: { signed: boolean; reason: string | null };
  events: { waiting: number; oldest_seconds: number };
};
type Readiness = { checks: Checks; details?: Details };

/** Probes within a second share one check, because anyone can send them. */
const readiness = () => cachedRead("readiness", 1_000, check);

/** 200 if the process can serve, that is, if the database answers and has every migration; otherwise 503 and which check failed. */
export async function readyz(): Promise<Response> {
  const { checks, details } = await readiness();
  const ok = checks.database && checks.migrations;
  return new Response(JSON.stringify({ ok, checks, details }), {
    status: ok ? 200 : 503,
    headers: ok ? headersOf() : { ...headersOf(), "Retry-After": "2" },
  });
}

async function check(): Promise<Readiness> {
  try {
    const pending = await pendingMigrations(pool());
    if (pending.length > 0) return { checks: { database: true, migrations: false } };
    const [[log], [events]] = await Promise.all([readLogs(1), readUnplacedEvents()]);
    const reason = log?.refusal ?? (log?.signed ? null : "Nothing has been signed yet.");
    const waiting = {
      waiting: events?.waiting ?? 0,
      oldest_seconds: Math.max(0, Number(events?.oldestMs ?? 0) / 1000),
    };
    return {
      checks: { database: true, migrations: true },
      details: { log: { signed: reason === null, reason }, events: waiting },
    };
  } catch {
    // The answer says which check failed; the log has the connection error already.
    return { checks: { database: false, migrations: false } };
  }
}
