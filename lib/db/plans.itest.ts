import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { listCatalogue, searchCatalogue } from "#lib/identity/directory/catalogue.ts";
import { listCheapestOffers } from "#lib/identity/offers/list-offers.ts";
import { findServiceActor } from "#lib/identity/read.ts";
import { encodeCursor } from "#lib/kernel/cursor.ts";
import { digestSecret, digestsOf, newSecret } from "#lib/kernel/secrets.ts";
import { readAgreements, readWork } from "#lib/record/page-reads/register.ts";
import { call, testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { assertPlans, explain, fixStatistics, statementsOf } from "#testing/plans.ts";
import { plantSeed } from "../../prisma/seed/plant.ts";

// Plans depend on sizes: below some thousands of rows, a sequential scan is best for everything.
const SIZES = { agents: 3_000, offers: 4_500, tasks: 20_000, posts: 0 };

const AUTH_SECRET = "the-secret-under-which-tokens-were-stored";

let client: pg.Client;
const token = newSecret("ghm");
const ids = { agent: "", task: "" };

const service = testService({ AUTH_SECRET }, async () => {
  const digestOf = (n: number) => digestSecret(n === 1 ? token : newSecret("ghm"));
  await plantSeed(service.ownerUrl, { ...SIZES, digestOf, seed: 0.1 });
  client = new pg.Client({ connectionString: service.ownerUrl });
  await client.connect();
  ids.agent = (await client.query("SELECT id FROM identities ORDER BY seq LIMIT 1")).rows[0].id;
  // Rare words in three rows each, whatever else the seed wrote.
  await client.query("UPDATE offers SET description = description || ' heckelphone' WHERE seq % 1500 = 7");
  await client.query("UPDATE tasks SET brief = brief || ' heckelphone' WHERE seq % 6000 = 7");
  // The caller has most of the old tasks and none of the new ones, so that walking all tasks would take long.
  await client.query("UPDATE tasks SET requester_id = $1, selected_provider_id = $1 WHERE seq <= 16000", [ids.agent]);
  await fixStatistics(service.ownerUrl);
  ids.task = (await client.query("SELECT id FROM tasks WHERE visibility = 'listed' ORDER BY seq LIMIT 1")).rows[0].id;
  return () => client.end();
});

type Query = Record<string, string | number>;
type List = { path: string; query?: Query; mine?: boolean; indexes: string[] };
/** A read that has no call of its own. */
type Read = { reads: () => Promise<unknown>; indexes: string[] };

const MIDDLE = encodeCursor("10000");

/** Every read that an agent repeats, and the indexes that are there for it. */
const READS: Record<string, List | Read> = {
  "listed tasks": { path: "jobs/list", indexes: ["tasks_listed"] },
  "listed tasks, a page in the middle": { path: "jobs/list", query: { cursor: MIDDLE }, indexes: ["tasks_listed"] },
  "listed tasks of a skill": {
    path: "jobs/list",
    query: { skill: "crystallography" },
    indexes: ["tasks_listed_by_skill"],
  },
  "listed tasks in a state": { path: "jobs/list", query: { state: "submitted" }, indexes: ["tasks_listed_by_state"] },
  "listed tasks that are expired": {
    path: "jobs/list",
    query: { state: "expired" },
    indexes: ["tasks_listed_by_state", "tasks_expiring"],
  },
  "listed tasks with a common word": { path: "jobs/list", query: { q: "items" }, indexes: ["tasks_listed"] },
  "listed tasks with a rare word": { path: "jobs/list", query: { q: "heckelphone" }, indexes: ["tasks_search_idx"] },
  "one task": { path: "jobs/show", query: { task_id: "TASK" }, indexes: ["tasks_pkey"] },
  inbox: { path: "jobs/inbox", mine: true, indexes: ["identities_token_digest_key", "tasks_inbox"] },
  "inbox, an older page": { path: "jobs/inbox", mine: true, query: { cursor: MIDDLE }, indexes: ["tasks_inbox"] },
  "tasks that I requested": {
    path: "jobs/mine",
    mine: true,
    query: { role: "requester" },
    indexes: ["tasks_requester_id_seq_idx"],
  },
  "tasks that I provide": {
    path: "jobs/mine",
    mine: true,
    query: { role: "provider" },
    indexes: ["tasks_provider_id_seq_idx"],
  },
  "tasks of mine": {
    path: "jobs/mine",
    mine: true,
    indexes: ["tasks_requester_id_seq_idx", "tasks_provider_id_seq_idx"],
  },
  "what waits for me": {
    path: "jobs/waiting",
    mine: true,
    indexes: ["tasks_under_way_by_requester", "tasks_under_way_by_provider", "tasks_inbox"],
  },
  "settlements of mine": {
    path: "settlements/mine",
    mine: true,
    indexes: ["settlements_requester_id_seq_idx", "settlements_provider_id_seq_idx", "settlement_totals_pkey"],
  },
  "public work by its latest step": { reads: () => readWork({ limit: 20 }), indexes: ["tasks_listed_by_change"] },
  agreements: { reads: () => readAgreements({ limit: 20 }), indexes: ["tasks_listed_by_agreement"] },
  "agreements, a later page": {
    reads: () => readAgreements({ from: { at: new Date(Date.now() - 14 * 86_400_000), id: "tsk_" }, limit: 20 }),
    indexes: ["tasks_listed_by_agreement"],
  },
  "offers by price": { reads: () => listCheapestOffers({ limit: 20 }), indexes: ["offers_listed_by_price"] },
  directory: { path: "agents/directory", indexes: ["identities_directory", "offers_identity_id_seq_idx"] },
  "directory of a skill": {
    path: "agents/directory",
    query: { skill: "crystallography" },
    indexes: ["identities_directory"],
  },
  "directory of those who are available": {
    path: "agents/directory",
    query: { available: "1" },
    indexes: ["identities_directory"],
  },
  "directory with a rare word": {
    path: "agents/directory",
    query: { q: '"agent-000777.example"' },
    indexes: ["identities_search_idx"],
  },
  "registry of agents that declare A2A": {
    reads: () => listCatalogue({ limit: 20 }, { a2a: true }),
    indexes: ["identities_directory"],
  },
  "registry of agents on a host": {
    reads: () => listCatalogue({ limit: 20 }, { hosts: ["agent-000777.example"] }),
    indexes: ["identities_directory", "identities_by_host"],
  },
  "a registry's search": {
    reads: () => searchCatalogue("find crystallography or agent-000777.example", {}, { limit: 20, offset: 0 }),
    indexes: ["identities_search_idx", "identities_id_hash"],
  },
  "one agent": { path: "agents/show", query: { public_id: "AGENT" }, indexes: ["identities_id_hash"] },
  offers: { path: "agents/offers", indexes: ["offers_enabled"] },
  "offers for a skill": {
    path: "agents/offers",
    query: { skill: "crystallography" },
    indexes: ["offers_listed_by_skill"],
  },
  "offers of an agent": {
    path: "agents/offers",
    query: { public_id: "AGENT" },
    indexes: ["offers_identity_id_seq_idx"],
  },
  "offers with a rare word": { path: "agents/offers", query: { q: "heckelphone" }, indexes: ["offers_search_idx"] },
  "tasks that I opened, counted": {
    path: "agents/me",
    mine: true,
    indexes: ["tasks_open_by_requester", "offers_identity_id_seq_idx"],
  },
  match: {
    path: "agents/match",
    query: { skill: "translation", budget_pence: 5_000 },
    indexes: ["offers_by_price", "identities_id_hash", "health_reports_pkey"],
  },
};

async function read({ path, query = {}, mine = false }: List): Promise<void> {
  const filled = Object.entries(query).map(([key, value]) => [key, value === "TASK" ? ids.task : value]);
  const all = { ...Object.fromEntries(filled), ...(mine || query.public_id ? { public_id: ids.agent } : {}) };
  const answer = await call("GET", `/api/v1/${path}.php`, { query: all, ...(mine ? { token } : {}) });
  assert.equal(answer.status, 200);
}

for (const [name, each] of Object.entries(READS)) {
  const { indexes } = each;
  test(`${name}: read through ${indexes.join(" and ")}, never a whole table`, async () => {
    const sent = await statementsOf(async () => void (await ("reads" in each ? each.reads() : read(each))));
    await assertPlans(sent, LARGE, indexes);
  });
}

test("the planner takes nearly every listed task for public, so that it stops at the end of a page", async () => {
  for (const read of [readWork, readAgreements]) {
    const [statement = assert.fail("nothing was sent")] = await statementsOf(
      async () => void (await read({ limit: 20 })),
    );
    const listed = (await explain(client, statement, "these")).find(({ relation }) => relation === "tasks");
    // If it took them for one in a million, it would read and sort a million to find the twenty of a page.
    assert.ok(Number(listed?.rows) > 20, `${listed?.rows} rows`);
  }
});

test("a token that was stored under a previous secret is found and renewed through its index, never a whole table", async () => {
  await configure({ AUTH_SECRET: "another-secret-of-the-service-long-enough", AUTH_SECRET_PREVIOUS: AUTH_SECRET });
  try {
    const sent = await statementsOf(async () => assert.ok(await findServiceActor(digestsOf(token))));
    assert.equal(sent.length, 3);
    for (const statement of sent) await assertPlans([statement], LARGE, ["identities_token_digest_key"]);
  } finally {
    await configure();
  }
});

const LARGE = new Set<unknown>(["tasks", "identities", "offers", "settlements", "contracts", "health_reports"]);
