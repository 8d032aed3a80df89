import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { freezeTerms, type Proposal } from "#lib/contracts/terms.ts";
import { canonicalJson } from "#lib/kernel/canonical-json.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { FEE_BPS, splitGross } from "#lib/settlements/fee.ts";
import { afterMove, balancesOf, NOTHING_MOVED } from "#lib/settlements/ledger.ts";
import { TASK_STATES } from "#lib/tasks/machine.ts";
import { call, testService } from "#testing/client.ts";
import { plantSeed } from "./plant.ts";

const SIZES = { agents: 200, offers: 300, tasks: 3_000, posts: 0 };

let client: pg.Client;
const service = testService({}, async () => {
  await plantSeed(service.ownerUrl, SIZES);
  // A second time, in addition to the first.
  await plantSeed(service.ownerUrl, { agents: 20, offers: 30, tasks: 100, posts: 0 });
  client = new pg.Client({ connectionString: service.ownerUrl });
  await client.connect();
  return () => client.end();
});

async function rows<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  return (await client.query<Row>(sql)).rows;
}

async function none(sql: string): Promise<void> {
  assert.deepEqual(await rows(`${sql} LIMIT 3`), []);
}

test("a seed adds the requested numbers, in every state, and can be run again", async () => {
  const [counted] =
    await rows(`SELECT (SELECT count(*)::int FROM identities) AS agents, (SELECT count(*)::int FROM offers) AS offers,
    (SELECT count(*)::int FROM tasks) AS tasks, (SELECT count(DISTINCT host)::int FROM identities) AS hosts`);
  assert.deepEqual(counted, { agents: 220, offers: 330, tasks: 3_100, hosts: 140 });
  const states = await rows<{ state: string }>("SELECT DISTINCT state FROM tasks");
  assert.deepEqual(new Set(states.map(({ state }) => state)), new Set(TASK_STATES));
});

test("identifiers have the form of their kind", async () => {
  const kinds = {
    agt: "identities",
    ofr: "offers",
    tsk: "tasks",
    con: "contracts",
    stl: "settlements",
    pay: "payments",
  };
  for (const [prefix, table] of Object.entries({ ...kinds, evt: "audit_events" })) {
    for (const { id } of await rows<{ id: string }>(`SELECT id FROM ${table}`)) {
      assert.match(id, idPattern(prefix as Parameters<typeof idPattern>[0]));
    }
  }
});

test("no task has the same requester and provider, and every provider has the skill", async () => {
  await none("SELECT id FROM tasks WHERE requester_id = provider_id OR requester_id = selected_provider_id");
  await none("SELECT t.id FROM tasks t JOIN identities i ON i.id = t.provider_id WHERE NOT t.skill = ANY (i.skills)");
  await none("SELECT o.id FROM offers o JOIN identities i ON i.id = o.identity_id WHERE NOT o.skill = ANY (i.skills)");
});

test("each state's columns are set, and no others", async () => {
  const taken = "('claimed', 'proposed', 'accepted', 'in_progress', 'submitted', 'completed')";
  await none(`SELECT id FROM tasks WHERE (provider_id IS NOT NULL) <> (state IN ${taken})`);
  await none("SELECT id FROM tasks WHERE (result IS NOT NULL) <> (state IN ('submitted', 'completed'))");
  await none("SELECT id FROM tasks WHERE state = 'open' AND expires_at <= now()");
  await none("SELECT id FROM tasks WHERE state = 'expired' AND expires_at > now()");
  await none("SELECT id FROM tasks WHERE created_at > updated_at OR updated_at > now()");
  await none(`SELECT t.id FROM tasks t LEFT JOIN contracts c ON c.task_id = t.id
    WHERE (c.id IS NOT NULL) <> (t.state IN ${taken} AND t.state <> 'claimed')`);
  await none(`SELECT t.id FROM tasks t LEFT JOIN settlements s ON s.task_id = t.id
    WHERE (s.id IS NOT NULL) <> (t.state IN ${taken} AND t.state NOT IN ('claimed', 'proposed'))`);
  await none(`SELECT t.id FROM tasks t JOIN settlements s ON s.task_id = t.id
    WHERE t.state IN ('in_progress', 'submitted', 'completed') AND s.funding NOT IN ('confirmed', 'not_required')`);
  await none(`SELECT s.id FROM settlements s LEFT JOIN payments p ON p.contract_id = s.contract_id AND p.status = 'succeeded'
    WHERE (p.id IS NOT NULL) <> (s.funding = 'confirmed')`);
});

test("terms are frozen as the service freezes them", async () => {
  const contracts = await rows(`SELECT c.*, t.title, t.budget_pence FROM contracts c JOIN tasks t ON t.id = c.task_id`);
  assert.ok(contracts.length > 100);
  for (const contract of contracts) {
    const { terms } = contract;
    const proposal: Proposal = {
      contractId: contract.id,
      taskId: contract.task_id,
      requester: terms.requester,
      provider: terms.provider,
      paymentMode: contract.payment_mode,
      amountPence: contract.amount_pence,
      scope: contract.title,
      acceptanceCriteria: terms.acceptance_criteria,
      dataTerms: terms.data_terms,
      dueAt: undefined,
      feePolicy: terms.fee_policy,
    };
    const frozen = freezeTerms(proposal);
    assert.deepEqual(terms, frozen.terms);
    assert.equal(contract.terms_canonical, frozen.canonical);
    assert.equal(contract.terms_hash, frozen.hash);
    assert.equal(canonicalJson(terms), contract.terms_canonical);
    assert.ok(contract.amount_pence <= contract.budget_pence);
    assert.deepEqual(
      [terms.requester.public_id, terms.provider.public_id],
      [contract.requester_id, contract.provider_id],
    );
  }
});

test("settlements split as the fee policy says, and are booked as the service books them", async () => {
  const settlements =
    await rows(`SELECT s.*, coalesce(json_agg(json_build_object('kind', l.kind, 'account', e.account, 'amountPence', e.amount_pence)
      ORDER BY l.id, e.id) FILTER (WHERE e.id IS NOT NULL), '[]') AS booked
    FROM settlements s LEFT JOIN ledger_transactions l ON l.settlement_id = s.id LEFT JOIN ledger_entries e ON e.transaction_id = l.id GROUP BY s.id`);
  assert.ok(settlements.length > 100);
  const key = (entry: object) => JSON.stringify(entry);
  for (const settlement of settlements) {
    const { gross_pence: grossPence, fee_pence: feePence, net_pence: netPence } = settlement;
    assert.deepEqual({ feePence, netPence }, splitGross(grossPence));
    const kinds = [
      ...(settlement.funding === "confirmed" ? (["funding"] as const) : []),
      ...(settlement.funding === "confirmed" && settlement.state === "approved"
        ? (["approval", "transfer"] as const)
        : []),
    ];
    let moved = NOTHING_MOVED;
    let shown: Record<string, number> = {};
    const expected = kinds.flatMap((kind) => {
      moved = afterMove(moved, kind, { pence: { funding: grossPence, approval: 0, transfer: netPence }[kind] });
      const next: Record<string, number> = balancesOf(
        { state: kind === "funding" ? "recorded" : "approved", bps: FEE_BPS, awardedPence: null },
        moved,
      );
      const last = shown;
      shown = next;
      return Object.keys(next).flatMap((account) => {
        const amountPence = (next[account] ?? 0) - (last[account] ?? 0);
        return amountPence === 0 ? [] : [{ kind, account, amountPence }];
      });
    });
    assert.deepEqual(settlement.booked.map(key).sort(), expected.map(key).sort());
  }
});

test("settlement totals match the settlements", async () => {
  await none(`SELECT * FROM (SELECT * FROM settlement_totals WHERE settlements > 0) t FULL JOIN (
      SELECT party AS party_id, payment_mode, count(*) AS settlements, sum(gross_pence) AS gross, sum(fee_pence) AS fee, sum(net_pence) AS net
      FROM settlements, LATERAL (VALUES (requester_id), (provider_id)) sides(party) WHERE state <> 'void' GROUP BY 1, 2
    ) counted USING (party_id, payment_mode)
    WHERE (t.settlements, t.gross_pence, t.fee_pence, t.net_pence) IS DISTINCT FROM (counted.settlements, gross, fee, net)`);
});

test("the audit record has every step of a task, in order", async () => {
  await none(`SELECT t.id FROM tasks t WHERE t.state::text IS DISTINCT FROM (
    SELECT e.data ->> 'to' FROM audit_events e WHERE e.subject_id = t.id ORDER BY e.at DESC, e.seq DESC LIMIT 1)`);
  await none(`SELECT 1 FROM (SELECT data ->> 'from' AS before, lag(data ->> 'to') OVER (PARTITION BY subject_id ORDER BY at, seq) AS after
    FROM audit_events) steps WHERE before IS DISTINCT FROM after`);
});

test("the API lists everything that was planted", async () => {
  for (const path of ["jobs/list", "agents/directory", "agents/offers"]) {
    let cursor: string | undefined;
    do {
      const query = { limit: 100, ...(cursor ? { cursor } : {}) };
      const answer = await call<{ next_cursor?: string }>("GET", `/api/v1/${path}.php`, { query });
      assert.equal(answer.status, 200);
      cursor = answer.body.next_cursor ?? undefined;
    } while (cursor);
  }
});
