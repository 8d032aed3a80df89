import type pg from "pg";
import { migrationNames } from "#lib/db/migration-file.ts";

/** The migrations of the first release. */
export const FIRST_RELEASE = migrationNames().filter((name) => name < "20261122");

const FILL = `
  INSERT INTO owners (id, email, name, created_at) SELECT 'own_' || n, n || '@owner.example', 'Owner', now() FROM generate_series(1, $rows) n;
  INSERT INTO owner_sessions (id_digest, owner_id, created_at, expires_at)
    SELECT sha256(('s' || n)::bytea), 'own_' || n, now(), now() + interval '1 day' FROM generate_series(1, $rows) n;
  INSERT INTO identities (id, token_digest, name, description, endpoint, host, created_at, updated_at, verification_token, owner_id)
    SELECT 'agt_' || n, sha256(n::text::bytea), 'Agent ' || n, '', '', 'a' || n || '.example', now(), now(), 'v' || n, 'own_' || n
    FROM generate_series(1, $rows) n;
  INSERT INTO health_reports (identity_id, status, reported_at) SELECT 'agt_' || n, 'available', now() FROM generate_series(1, $rows) n;
  INSERT INTO offers (id, identity_id, skill, description, input, output, limits, price_pence, enabled, created_at, updated_at)
    SELECT 'off_' || n, 'agt_' || n, 'count words', 'D', 'I', 'O', 'L', 999, true, now(), now() FROM generate_series(1, $rows) n;
  INSERT INTO tasks (id, requester_id, provider_id, state, title, brief, summary, budget_pence, visibility, payment_mode, client_request_id,
      created_at, updated_at, expires_at)
    SELECT 'tsk_' || n, 'agt_' || n, CASE n % 2 WHEN 0 THEN 'agt_1' END, CASE n % 2 WHEN 0 THEN 'completed' ELSE 'open' END::task_state,
      'A title', 'B', 'S', 999, 'listed', 'TEST', 'r' || n, now(), now(), now() + interval '1 day' FROM generate_series(1, $rows) n;
  INSERT INTO contracts (id, task_id, requester_id, provider_id, payment_mode, amount_pence, terms, terms_canonical, terms_hash, created_at)
    SELECT 'con_' || n, 'tsk_' || n, 'agt_' || n, 'agt_1', 'TEST', 999, '{}', '{}', 'x', now() FROM generate_series(1, $rows) n;
  INSERT INTO settlements (id, contract_id, task_id, requester_id, provider_id, payment_mode, gross_pence, fee_pence, net_pence, fee_policy,
      funding, recorded_at)
    SELECT 'stl_' || n, 'con_' || n, 'tsk_' || n, 'agt_' || n, 'agt_' || $rows - n + 1, 'TEST', 999, 9, 990, '{}', 'not_required', now()
    FROM generate_series(1, $rows) n;
  INSERT INTO payments (id, contract_id, requester_id, payment_mode, status, amount_pence, created_at)
    SELECT 'pay_' || n, 'con_' || n, 'agt_' || n, 'LIVE', 'succeeded', 999, now() FROM generate_series(1, $rows) n;
  INSERT INTO transfer_intents (id, settlement_id, provider_id, amount_pence, created_at)
    SELECT 'tri_' || n, 'stl_' || n, 'agt_' || n, 990, now() FROM generate_series(1, $rows) n;
  WITH booked AS (INSERT INTO ledger_transactions (settlement_id, kind, payment_mode, at)
    SELECT 'stl_' || n, 'funding', 'TEST', now() FROM generate_series(1, $rows) n RETURNING id)
  INSERT INTO ledger_entries (transaction_id, account, amount_pence)
    SELECT id, side.account::ledger_account, side.pence FROM booked, (VALUES ('cash', 999), ('held', -999)) side (account, pence);
  INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
    SELECT 'agt_' || n, 'jobs/create', 'r' || n, '\\x00', 201, '{}', now() FROM generate_series(1, $rows) n;
  INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id)
    SELECT 'evt_' || n, now(), 'service', 'agt_' || n, 'create', 'task', 'tsk_' || n FROM generate_series(1, $rows) n;
  INSERT INTO profiles (id, name, joined_at, key_digest, key_hint, key_created_at)
    SELECT 'agt_' || n, 'P', now(), sha256(('k' || n)::bytea), 'abcd', now() FROM generate_series(1, $rows) n;
  INSERT INTO posts (id, seq, thread_id, room, author_id, title, body, created_at)
    SELECT 'pst_' || n, nextval('posts_seq'), 'thr_' || n, 'general', 'agt_' || n, 'T', 'Some text', now() FROM generate_series(1, $rows) n;
  INSERT INTO reply_edges (from_id, to_id, replies, last_at) SELECT 'agt_' || n, 'agt_1', 1, now() FROM generate_series(1, $rows) n;
  INSERT INTO activities (seq, recipient_id, kind, post_id, task_id, at)
    SELECT n, 'agt_' || n, 'reply', 'pst_' || n, 'tsk_' || n, now() FROM generate_series(1, $rows) n;
  INSERT INTO rate_limits (key, points, expire) SELECT 'k' || n, 1, 0 FROM generate_series(1, $rows) n;`;

/** Fills the large tables of the first release's schema with `rows` rows each, through a client of the owner's. */
export async function fillFirstRelease(client: pg.Client, rows: number): Promise<void> {
  await client.query(FILL.replaceAll("$rows", String(rows)));
  await client.query("ANALYZE");
}
