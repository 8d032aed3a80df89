import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { choosePlace } from "#lib/db/embedded/place.ts";
import { runProgram } from "#lib/db/embedded/program.ts";
import { openEmbedded } from "#lib/db/embedded.ts";
import type { TestAgent } from "#testing/factories.ts";
import { openFolder, removeFolder } from "#testing/processes/embedded.ts";
import { type ApiProcess, request, startApiProcess } from "#testing/processes/processes.ts";
import { Writers } from "#testing/writers.ts";

// What a killed process leaves: lib/boot/three-processes.itest.ts.

/** `CRASH_FLOWS` sets how many tasks are worked on while the database crashes. */
const FLOWS = Number(process.env.CRASH_FLOWS ?? 30);
let folder: string;
let database: Awaited<ReturnType<typeof openEmbedded>>;
let sql: pg.Pool;
let service: ApiProcess;
before(async () => {
  folder = openFolder();
  // With everything that keeps data safe: the usual test server does without.
  database = await openEmbedded({ dir: folder, systemDir: folder });
  await updateDatabase(database.url, database.ownerUrl);
  sql = new pg.Pool({ connectionString: database.url });
  sql.on("error", () => undefined);
  service = await startApiProcess({
    DATABASE_URL: database.url,
    AUTH_SECRET: "a secret that only tests know, of some length",
    RATE_LIMIT_SCALE: "0",
  });
});
after(async () => {
  await service.kill();
  await sql.end();
  await database.close();
  removeFolder(folder);
});

async function register(): Promise<TestAgent> {
  const fields = {
    name: "Agent",
    description: "d",
    skills: [],
    endpoint: "https://agent.example.com/",
    operator_authorized: true,
  };
  const { body } = await request(service.url, "POST", "agents/register.php", { fields });
  const { public_id: publicId, management_token: token, verification } = body as Record<string, string>;
  await sql.query("UPDATE identities SET domain_status = 'verified' WHERE id = $1", [publicId]);
  return { publicId, token, verification } as unknown as TestAgent;
}

/** The steps that stand in the record, by the key of their flow, with the number of times that each was written. */
async function recorded(): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ step: string; count: number }>(
    `SELECT t.client_request_id || ' ' || CASE
         WHEN e.subject_kind = 'contract' AND e.action = 'accept' THEN CASE WHEN e.actor_id = t.requester_id THEN 'accept_requester' ELSE 'accept_provider' END
         WHEN e.action = 'payment_succeeded' THEN 'confirm' ELSE e.action END AS step, count(*)::int
     FROM audit_events e LEFT JOIN contracts c ON c.id = e.subject_id LEFT JOIN payments p ON p.id = e.subject_id LEFT JOIN contracts pc ON pc.id = p.contract_id
       JOIN tasks t ON t.id = coalesce(c.task_id, pc.task_id, e.subject_id)
     WHERE e.action IN ('create', 'claim', 'fund', 'payment_succeeded', 'start', 'submit', 'complete')
       OR e.action IN ('accept', 'propose') AND e.subject_kind = 'contract' GROUP BY 1`,
  );
  return new Map(rows.map(({ step, count }) => [step, count]));
}

async function assertNothingLost({ acknowledged }: Writers): Promise<void> {
  const there = await recorded();
  const lost = acknowledged.filter(({ flow, verb }) => !there.has(`${flow} ${verb}`));
  assert.deepEqual(lost, [], "acknowledged writes are gone");
  const twice = [...there].filter(([, count]) => count > 1);
  assert.deepEqual(twice, [], "writes happened twice");
}

/** Contradictions between rows; there must be none at any moment. */
const BOOKS = `
  SELECT 'unbalanced' FROM ledger_entries GROUP BY transaction_id HAVING sum(amount_pence) <> 0
  UNION ALL SELECT 'funding' FROM settlements s WHERE (funding = 'confirmed') <> EXISTS (SELECT FROM ledger_transactions t WHERE t.settlement_id = s.id AND t.kind = 'funding')
  UNION ALL SELECT 'payment' FROM settlements s WHERE (funding = 'confirmed') <> EXISTS (SELECT FROM payments p WHERE p.contract_id = s.contract_id AND p.status = 'succeeded')
  UNION ALL SELECT 'approval' FROM settlements s JOIN tasks t ON t.id = s.task_id WHERE (s.state = 'approved') <> (t.state = 'completed')
  UNION ALL SELECT 'booking' FROM settlements s WHERE state = 'approved' AND (SELECT count(*) FROM ledger_transactions t WHERE t.settlement_id = s.id) <> 3`;

async function assertSound(): Promise<void> {
  assert.deepEqual((await sql.query(BOOKS)).rows, []);
}

test("a database that crashes under load loses no acknowledged write; the service answers 503 and then recovers", async () => {
  const work = new Writers(service.url, { requester: await register(), provider: await register() });
  const place = choosePlace(folder, () => undefined, folder);
  const done = work.run(FLOWS);
  // A rejection surfaces at the next await of `done`; until then it must not count as unhandled.
  done.catch(() => undefined);
  // After about a third of their writes.
  while (work.acknowledged.length < FLOWS * 3) await delay(5);
  const stop = ["stop", "-D", place.cluster, "-m", "immediate"];
  const { code, output } = await runProgram(place, place.binaries.pgCtl, stop);
  assert.equal(code, 0, output);
  await work.hold();
  for (const path of ["jobs/list.php", "agents/directory.php"]) {
    const { status, body, headers } = await request(service.url, "GET", path);
    assert.deepEqual([status, (body.error as { code: string }).code], [503, "temporarily_unavailable"]);
    assert.ok(headers.has("Retry-After"));
  }
  assert.equal((await request(service.url, "GET", "status.php")).status, 200);
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  assert.equal((await fetch(`${service.url}/readyz`)).status, 503);
  await database.ensureRunning();
  while ((await fetch(`${service.url}/readyz`)).status !== 200) await delay(50);
  await assertNothingLost(work);
  await assertSound();
  work.goOn();
  await done;
  await assertNothingLost(work);
  await assertSound();
  const { rows } = await sql.query(
    "SELECT count(*)::int AS tasks, count(DISTINCT t.client_request_id)::int AS keys, bool_and(t.state = 'completed') AS all_done FROM tasks t WHERE t.client_request_id = ANY ($1)",
    [[...new Set(work.acknowledged.map(({ flow }) => flow))]],
  );
  assert.deepEqual(rows, [{ tasks: FLOWS, keys: FLOWS, all_done: true }]);
  assert.deepEqual(
    [...work.statuses.keys()].filter((status) => ![200, 201, 409, 503].includes(status)),
    [],
  );
  assert.ok((work.statuses.get(503) ?? 0) > 0);
  assert.equal(work.unanswered, 0);
});
