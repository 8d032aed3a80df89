import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeDatabase, pool } from "#lib/db/client.ts";
import { findServiceActor } from "#lib/identity/read.ts";
import { digestsOf } from "#lib/kernel/secrets.ts";
import { runAdmin } from "#testing/admin-command.ts";
import { configure } from "#testing/configuration.ts";
import { registerAgent } from "#testing/factories.ts";
import { openFolder, removeFolder } from "#testing/processes/embedded.ts";
import { type OpenDatabase, openDatabase } from "./database.ts";
import { updateDatabase } from "./update-database.ts";

const dataDir = openFolder();
const config = { dataDir, databaseUrl: undefined, authSecret: undefined };
let database: OpenDatabase;
before(async () => {
  process.env.RATE_LIMIT_SCALE = "0";
  database = await openDatabase(config);
  await database.asOwner((url) => updateDatabase(database.url, url));
  await configure();
});
after(async () => {
  await closeDatabase();
  await database.close();
  removeFolder(dataDir);
});

/** Runs `npm run admin -- …` beside the service, in an environment that names no database and no secret. */
async function admin(...args: string[]): Promise<Record<string, unknown>> {
  const { out } = await runAdmin(dataDir, args, { DATABASE_URL: "", AUTH_SECRET: "", AUTH_SECRET_PREVIOUS: "" });
  return JSON.parse(out) as Record<string, unknown>;
}

test("the secret in DATA_DIR is replaced by one command and a restart, and every token keeps working", async () => {
  const { publicId, token } = await registerAgent();
  const old = process.env.AUTH_SECRET ?? "";
  const first = await admin("keys");
  const rotated = await admin("rotate-secret", "--reason", "A year has passed", "--as", "Grace");
  assert.deepEqual(rotated.previous, [first.current]);
  assert.notEqual(rotated.current, first.current);
  assert.ok(!JSON.stringify(rotated).includes(old));
  const { rows } = await pool().query(
    "SELECT action, subject_id, reason, actor_id FROM audit_events WHERE action ~ 'secret'",
  );
  assert.deepEqual(rows, [
    { action: "rotate_secret", subject_id: rotated.current, reason: "A year has passed", actor_id: "Grace" },
  ]);

  // The service that runs knows nothing of it until it starts again.
  assert.equal((await findServiceActor(digestsOf(token)))?.id, publicId);
  const again = await openDatabase(config);
  await configure();
  assert.notEqual(process.env.AUTH_SECRET, old);
  assert.equal(process.env.AUTH_SECRET_PREVIOUS, old);
  assert.deepEqual((await admin("keys")).no_longer_needed, []);
  assert.equal((await findServiceActor(digestsOf(token)))?.id, publicId);
  const last = await admin("keys");
  assert.deepEqual([last.current, last.previous], [rotated.current, rotated.previous]);
  assert.deepEqual(last.no_longer_needed, rotated.previous);
  await again.close();
});
