import type pg from "pg";
import { FEE_BPS } from "#lib/settlements/fee.ts";

// The terms in canonical form (RFC 8785): members in order, no white space. Every text here is plain ASCII, which to_json
// escapes as the standard wants it.
const CONTRACTS = `
  INSERT INTO contracts (id, task_id, requester_id, provider_id, state, payment_mode, amount_pence, terms, terms_canonical, terms_hash,
    requester_accepted_at, provider_accepted_at, created_at)
  SELECT contract, id, requester, provider, (CASE WHEN state = 'proposed' THEN 'proposed' ELSE 'accepted' END)::contract_state, 'TEST', amount,
    canonical::jsonb, canonical, 'sha256:' || encode(sha256(convert_to(canonical, 'UTF8')), 'hex'),
    CASE WHEN state <> 'proposed' OR g < .5 THEN created + age * .3 END, CASE WHEN state <> 'proposed' THEN created + age * .4 END,
    created + age * .2
  FROM (
    SELECT *, concat('{"acceptance_criteria":["The result is complete.","Numbers add up."],"amount_pence":', amount,
      ',"contract_id":', to_json(contract), ',"currency":"GBP","data_terms":"Synthetic data only.","due_at":null',
      ',"fee_policy":{"bps":${FEE_BPS},"minimum_live_pence":999,"rounding":"net_down"},"payment_mode":"TEST"',
      ',"provider":{"name":', to_json(provider_name), ',"public_id":', to_json(provider),
      '},"requester":{"name":', to_json(requester_name), ',"public_id":', to_json(requester),
      '},"scope":', to_json(title), ',"task_id":', to_json(id), ',"version":1}') AS canonical
    FROM seed_batch WHERE taken AND state <> 'claimed'
  ) frozen`;

// Work on a paid task begins when its money is confirmed; before that some have an attempt under way.
const SETTLEMENTS = `
  INSERT INTO settlements (id, contract_id, task_id, requester_id, provider_id, payment_mode, gross_pence, fee_pence, net_pence, fee_policy,
    state, funding, transfer, recorded_at, funded_at, approved_at, transferred_at)
  SELECT settlement, contract, id, requester, provider, 'TEST', amount, amount - net, net,
    '{"bps":${FEE_BPS},"rounding":"net_down","minimum_live_pence":999}',
    (CASE WHEN done THEN 'approved' ELSE 'recorded' END)::settlement_state,
    (CASE WHEN amount = 0 THEN 'not_required' WHEN state <> 'accepted' THEN 'confirmed' WHEN h < .4 THEN 'pending' ELSE 'required' END)::funding,
    (CASE WHEN done THEN 'simulated' ELSE 'none' END)::transfer_state, created + age * .4,
    CASE WHEN amount > 0 AND state <> 'accepted' THEN created + age * .5 END,
    CASE WHEN done THEN created + age * .9 END, CASE WHEN done THEN created + age * .9 END
  FROM (
    SELECT *, state = 'completed' AS done, (amount::bigint * (10000 - ${FEE_BPS}) / 10000)::int AS net
    FROM seed_batch WHERE taken AND state NOT IN ('claimed', 'proposed')
  ) agreed`;

const PAYMENTS = `
  INSERT INTO payments (id, contract_id, requester_id, payment_mode, status, amount_pence, created_at, settled_at)
  SELECT pg_temp.seed_id('pay', $1, i), contract, requester, 'TEST', (CASE WHEN s.funding = 'confirmed' THEN 'succeeded' ELSE 'pending' END)::payment_status,
    amount, created + age * .45, s.funded_at
  FROM seed_batch b JOIN settlements s ON s.id = b.settlement WHERE s.funding IN ('confirmed', 'pending')`;

const LEDGER = `
  WITH due AS (
    SELECT s.*, kind, at FROM seed_batch b JOIN settlements s ON s.id = b.settlement,
      LATERAL (VALUES ('funding'::ledger_kind, funded_at), ('approval', approved_at), ('transfer', transferred_at)) happened(kind, at)
    WHERE s.funding = 'confirmed' AND at IS NOT NULL
  ), booked AS (
    INSERT INTO ledger_transactions (settlement_id, kind, payment_mode, at) SELECT id, kind, payment_mode, at FROM due RETURNING id, settlement_id, kind
  )
  INSERT INTO ledger_entries (transaction_id, account, amount_pence)
  SELECT booked.id, account, amount FROM booked JOIN due ON due.id = booked.settlement_id AND due.kind = booked.kind,
    LATERAL (VALUES
      ('funding'::ledger_kind, 'cash'::ledger_account, gross_pence), ('funding', 'held', -gross_pence),
      ('approval', 'held', gross_pence), ('approval', 'provider_payable', -net_pence), ('approval', 'platform_fees', -fee_pence),
      ('transfer', 'provider_payable', net_pence), ('transfer', 'cash', -net_pence)) entry(of_kind, account, amount)
  WHERE entry.of_kind = booked.kind`;

/** What the tasks of the present batch imply: frozen terms, settlements, simulated payments, and their bookings. */
export async function plantAgreements(client: pg.Client, salt: string): Promise<void> {
  await client.query(CONTRACTS);
  await client.query(SETTLEMENTS);
  await client.query(PAYMENTS, [salt]);
  await client.query(LEDGER);
}
