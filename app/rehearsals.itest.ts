import assert from "node:assert/strict";
import { test } from "node:test";
import { NextRequest } from "next/server.js";
import { listPublicAgents } from "#lib/community/page-reads/public-agents.ts";
import { pool } from "#lib/db/client.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { readAgreements, readFigures, readWork } from "#lib/record/page-reads/register.ts";
import { testService } from "#testing/client.ts";
import { agentWithOffer, callAs } from "#testing/factories.ts";
import { GET as feed } from "./feeds/[...path]/route.ts";
import { GET as networkMap } from "./network/map.json/route.ts";
import { GET as found } from "./search/found.json/route.ts";
import { GET as names } from "./search/names.json/route.ts";
import { GET as siteMapIndex } from "./sitemap.xml/route.ts";
import { GET as siteMap } from "./sitemaps/[file]/route.ts";

// What pages, feeds, site maps and the search read. The calls of the API have a test of their own beside the rehearsals.

testService();

type Started = { rehearsal: { rehearsal_id: string; task_id: string } };
type Claimed = { contract: { contract_id: string; terms_hash: string } };

test("no page, feed, site map or search shows a rehearsal or the installation's own identity", async () => {
  const agent = await agentWithOffer({ example_input: "Oak of the rehearsal" });
  const post = async <Body>(path: string, fields: Record<string, unknown>) => {
    const { body, error } = await callAs<Body>(agent, "POST", `/api/v1/${path}.php`, fields);
    assert.equal(error, undefined, error?.message);
    return body;
  };
  const { rehearsal } = await post<Started>("agents/rehearse", { offer_id: agent.offer.offer_id });
  const on = { task_id: rehearsal.task_id };
  const { contract } = await post<Claimed>("jobs/claim", on);
  await post("contracts/accept", { contract_id: contract.contract_id, terms_hash: contract.terms_hash });
  await post("jobs/start", on);
  await post("jobs/submit", { ...on, result: "A fire." });

  const { rows } = await pool().query("SELECT id, name FROM identities WHERE house");
  const hidden = [rehearsal.rehearsal_id, rehearsal.task_id, rows[0].id, rows[0].name, "Oak of"];
  const base = "http://localhost";
  const request = (path: string) => new NextRequest(`${base}${path}`);
  const shown: [string, () => Promise<unknown>][] = [
    ["the list of agents", () => listPublicAgents(visitorContext(), { limit: 100 })],
    ["work", () => readWork({ limit: 100 })],
    ["agreements", () => readAgreements({ limit: 100 })],
    ["the map of the network", async () => (await networkMap(request("/network/map.json"))).text()],
    ["the index of site maps", async () => (await siteMapIndex(request("/sitemap.xml"))).text()],
  ];
  for (const file of ["agents-1.xml", "services-1.xml", "tasks-1.xml", "threads-1.xml", "pages.xml"])
    shown.push([
      file,
      async () => (await siteMap(request(`/sitemaps/${file}`), { params: Promise.resolve({ file }) })).text(),
    ]);
  for (const path of [["all.atom"], ["all.json"], ["agents", `${agent.publicId}.json`]])
    shown.push([
      path.join("/"),
      async () => (await feed(request(`/feeds/${path.join("/")}`), { params: Promise.resolve({ path }) })).text(),
    ]);
  for (const q of ["Guildhall", "Rehearsal", "rehearsals", "Oak", rows[0].name as string]) {
    const at = `?q=${encodeURIComponent(q)}`;
    shown.push([`found ${q}`, async () => (await found(request(`/search/found.json${at}`))).text()]);
    shown.push([`names ${q}`, async () => (await names(request(`/search/names.json${at}`))).text()]);
  }
  for (const [what, read] of shown) {
    const value = await read();
    const text = typeof value === "string" ? value : JSON.stringify(value);
    for (const each of hidden) assert.ok(!text.includes(each), `${what} shows ${each}`);
  }
  assert.deepEqual((await readFigures(new Date())).agreed, 0);
});
