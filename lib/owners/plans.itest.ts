import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { testService } from "#testing/client.ts";
import { explain, fixStatistics, statementsOf } from "#testing/plans.ts";
import { readSecurityLog } from "./security-log.ts";

let client: pg.Client;

const service = testService({}, async () => {
  client = new pg.Client({ connectionString: service.url });
  await client.connect();
  const owner = (number: string) => `'own_' || lpad((${number})::text, 22, 'z')`;
  const agent = (number: string) => `'agt_' || lpad((${number})::text, 22, 'z')`;
  await client.query(
    `INSERT INTO owners (id, email, name, created_at) SELECT ${owner("n")}, n || '@example.com', 'Owner', now() FROM generate_series(1, 2000) n`,
  );
  await client.query(
    `INSERT INTO profiles (id, name, joined_at, owner_id, key_digest, key_hint, key_created_at)
     SELECT ${agent("n")}, 'Agent', now(), ${owner("1 + n % 2000")}, decode(md5(n::text), 'hex'), 'abcd', now() FROM generate_series(1, 4000) n`,
  );
  await client.query(
    `INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id)
     SELECT 'evt_' || n, now(), CASE WHEN n % 3 = 0 THEN 'owner' ELSE 'service' END,
       CASE WHEN n % 3 = 0 THEN ${owner("1 + n % 2000")} ELSE ${agent("1 + n % 4000")} END,
       CASE WHEN n % 1000 = 0 THEN 'suspend' ELSE 'advance' END, 'profile', ${agent("1 + n % 4000")} FROM generate_series(1, 60000) n`,
  );
  await fixStatistics(service.ownerUrl);
  return () => client.end();
});

test("an owner's security log is read through indexes, on every page", async () => {
  const [statement] = await statementsOf(async () => {
    await readSecurityLog(`own_${"7".padStart(22, "z")}`, { limit: 50 });
  });
  assert.ok(statement);
  for (const kind of ["any", "these"] as const) {
    const nodes = await explain(client, statement, kind);
    const indexes = nodes.map(({ index }) => index);
    assert.ok(indexes.includes("audit_events_subject_id_seq_idx"), kind);
    assert.ok(indexes.includes("audit_events_actor_id_seq_idx"), kind);
    assert.ok(!indexes.includes("audit_events_seq_key"), `${kind}: walks the whole record`);
    assert.deepEqual(
      nodes.filter(({ type, relation }) => type === "Seq Scan" && relation === "audit_events"),
      [],
    );
  }
});
