import assert from "node:assert/strict";
import { test } from "node:test";
import { serverJson } from "#lib/api/mcp/server-card.ts";
import { configure } from "#testing/configuration.ts";
import { agentWithOffer, registerAgent, setDomainStatus, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { servedService } from "#testing/served.ts";
import { fits } from "#testing/standards.ts";
import { catalogue } from "./catalogues.ts";
import { parseFilter } from "./filter.ts";

let translator: TestAgent;
let reviewer: TestAgent;
let hidden: TestAgent[];
const http = servedService({}, async () => {
  translator = await agentWithOffer({}, { name: "Polyglot", description: "Translates contracts.", protocols: ["A2A"] });
  reviewer = await verifiedAgent({ name: "Checker", description: "Reviews contracts.", skills: ["code-review"] });
  hidden = [await registerAgent(), await verifiedAgent({ public_profile: false })];
});

type Entry = {
  identifier: string;
  displayName: string;
  type: string;
  url: string;
  representativeQueries: string[];
  score: number;
  metadata: { content_trust: string };
};
type Link = { anchor: string; "service-desc": { href: string }[]; status: { href: string }[] };
/** What the documents have here, whose forms `fits` checks; each has some of it. */
type Body = Record<"entries" | "results" | "items", Entry[]> &
  Record<"pageToken" | "content_trust" | "errorCode" | "message", string> & {
    linkset: [Link];
    capabilities: { extensions: [{ params: object }] };
    skills: { id: string; description: string }[];
  };
type Read = { status: number; type: string; body: Body; text: string };

async function read(path: string, init: RequestInit = {}): Promise<Read> {
  const answer = await fetch(`${http.url}${path}`, init);
  const text = await answer.text();
  return {
    status: answer.status,
    type: answer.headers.get("content-type") ?? "",
    text,
    body: JSON.parse(text) as Body,
  };
}

const search = (body: unknown) =>
  read("/ard/search", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

test("both catalogues are the same bytes, fit their standard, and everything that they name can be read", async () => {
  const [one, other] = [await read("/.well-known/ai-catalog.json"), await read("/.well-known/ard.json")];
  assert.equal(one.type, "application/ai-catalog+json");
  assert.equal(one.text, other.text);
  fits("AI catalogue", one.body);
  for (const { type, url, identifier, representativeQueries } of one.body.entries) {
    assert.match(identifier, /^urn:air:guildhall\.localhost:/);
    assert.ok(representativeQueries.length >= 2, identifier);
    if (type === "application/ai-registry+json") assert.equal(url, `${http.url}/ard`);
    else assert.equal((await fetch(url)).status, 200, url);
  }
  assert.equal(one.body.entries.length, 5);
  const agents = await read("/agents/ai-catalog.json");
  fits("AI catalogue", agents.body);
  assert.equal(agents.body.entries.length, 2);
  for (const { metadata, representativeQueries } of agents.body.entries) {
    assert.equal(metadata.content_trust, "untrusted");
    assert.doesNotMatch(representativeQueries.join(), /Polyglot|Checker/);
  }
});

test("the publisher is the host of BASE_URL, where that is a name in the world", async () => {
  await configure({ BASE_URL: "https://hall.example.com" });
  try {
    const { entries } = catalogue();
    assert.ok(entries.every(({ identifier }) => identifier.startsWith("urn:air:hall.example.com:")));
    assert.equal(serverJson().name, "com.example.hall/guildhall");
  } finally {
    await configure({ BASE_URL: http.url });
  }
});

test("the server's card and server.json fit their schemas", async () => {
  fits("MCP server card", (await read("/mcp/server-card")).body);
  fits("server.json", serverJson());
});

test("the API's catalogue leads to its description", async () => {
  const { body, type } = await read("/.well-known/api-catalog");
  assert.match(type, /^application\/linkset\+json/);
  const [api] = body.linkset;
  assert.equal(api.anchor, `${http.url}/api/v1/`);
  for (const { href } of [...api["service-desc"], ...api.status]) assert.equal((await fetch(href)).status, 200, href);
  const head = await fetch(`${http.url}/.well-known/api-catalog`, { method: "HEAD" });
  assert.deepEqual(
    [head.status, head.headers.get("link")],
    [200, `<${http.url}/.well-known/api-catalog>; rel="api-catalog"`],
  );
});

test("a search finds agents by any of its words, best first, and only those that everyone may find", async () => {
  const { body } = await search({ query: { text: "find me someone who translates contracts" } });
  fits("ARD search", body);
  assert.deepEqual(
    body.results.map(({ displayName }) => displayName),
    ["Polyglot", "Checker"],
  );
  const [best, next] = body.results;
  assert.ok(best && next && best.score > next.score);
  assert.match(best.identifier, new RegExp(`^urn:air:agent-\\d+\\.example\\.com:agent:${translator.publicId}$`));
  const first = await search({ query: { text: "contracts" }, pageSize: 1 });
  const second = await search({ query: { text: "contracts" }, pageSize: 1, pageToken: first.body.pageToken });
  const ids = [first, second].map((page) => page.body.results[0]?.identifier);
  assert.equal(new Set(ids).size, 2);
  assert.equal(second.body.pageToken, undefined);
  assert.deepEqual((await search({ query: { text: "the of and" } })).body.results, []);
});

test("filters narrow a search and a list by type, tag and publisher", async () => {
  const named = async (filter: object) =>
    (await search({ query: { text: "contracts", filter } })).body.results.map(({ displayName }) => displayName);
  assert.deepEqual(await named({ type: ["application/a2a-agent-card+json"] }), ["Polyglot"]);
  assert.deepEqual(await named({ tags: "code-review" }), ["Checker"]);
  assert.deepEqual(await named({ type: "application/mcp-server-card+json" }), []);
  const all = await read("/ard/agents?pageSize=1");
  fits("ARD list", all.body);
  assert.equal(all.body.content_trust, "untrusted");
  assert.equal((await read(`/ard/agents?pageSize=1&pageToken=${all.body.pageToken}`)).body.items.length, 1);
  const filter = encodeURIComponent("type = 'application/json' AND tags = 'code-review'");
  const { items } = (await read(`/ard/agents?filter=${filter}`)).body;
  assert.deepEqual(
    items.map(({ displayName }) => displayName),
    ["Checker"],
  );
});

test("a search is answered whatever the client has, takes JSON only, and names a wrong page size", async () => {
  const init = { method: "POST", body: JSON.stringify({ query: { text: "contracts" } }) };
  const type = { "Content-Type": "application/json" };
  assert.equal((await read("/ard/search", { ...init, headers: { ...type, "If-None-Match": "*" } })).status, 200);
  const plain = await read("/ard/search", { ...init, headers: { "Content-Type": "text/plain" } });
  assert.deepEqual([plain.status, plain.body.errorCode], [400, "INVALID_ARGUMENT"]);
  assert.match(plain.body.message, /application\/json/);
  for (const size of ["1000", "0", "many", "1.5", ""]) {
    const { status, body } = await read(`/ard/agents?pageSize=${size}`);
    assert.deepEqual([size, status, body.message], [size, 400, "pageSize must be a whole number from 1 to 100."]);
  }
});

test("one agent can be read; hidden and unproved ones are not found, with or without a credential", async () => {
  const one = await read(`/ard/agents/${reviewer.publicId}`);
  fits("ARD entry", one.body);
  assert.equal(one.body.content_trust, "untrusted");
  const token = { Authorization: `Bearer ${hidden[1]?.token}` };
  for (const { publicId } of hidden) {
    const answer = await read(`/ard/agents/${publicId}`, { headers: token });
    assert.equal(answer.status, 404);
    fits("ARD error", answer.body);
  }
});

test("what is wrong is 400 or 404 in the form of that interface, and explore is not implemented", async () => {
  const wrong = [
    await search({}),
    await search({ query: { text: "" } }),
    await search({ query: { text: "a\u0000b" } }),
    await search({ query: { text: "x", filter: { "trustManifest.identity": "y" } } }),
    await search({ query: { text: "x" }, pageToken: "nonsense" }),
    await search({ query: { text: "x" }, pageSize: 1000 }),
    await read("/ard/search", { method: "POST", body: "{" }),
    await read("/ard/agents?pageSize=many"),
    await read("/ard/agents?orderBy=displayName"),
    await read("/ard/agents?filter=nonsense"),
    await read("/ard/agents?pageToken=nonsense"),
  ];
  for (const { status, body } of wrong) {
    assert.equal(status, 400, JSON.stringify(body));
    fits("ARD error", body);
    assert.equal(body.errorCode, "INVALID_ARGUMENT");
  }
  for (const path of ["/ard", "/ard/", "/ard/nothing", "/ard/agents/someone", "/ard/agents/a/b"]) {
    const { status, body } = await read(path);
    assert.equal(status, 404, path);
    fits("ARD error", body);
  }
  assert.equal((await read("/ard/explore", { method: "POST", body: "{}" })).status, 501);
});

test("an identity that declares A2A has an agent card here, and others have none", async () => {
  const { body, type } = await read(`/agents/${translator.publicId}/agent-card.json`);
  fits("A2A agent card", body);
  assert.equal(type, "application/a2a-agent-card+json");
  assert.deepEqual(body.capabilities.extensions[0].params, { content_trust: "untrusted" });
  assert.deepEqual(
    body.skills.map(({ id, description }) => [id, description]),
    [["translation", "Translates a text."]],
  );
  for (const id of [reviewer.publicId, `agt_${"0".repeat(22)}`, `agt_${"1".repeat(22)}`, "someone", "%00"])
    assert.deepEqual([id, (await read(`/agents/${id}/agent-card.json`)).status], [id, 404]);
});

test("a card is served only while the identity's domain is verified", async () => {
  const agent = await registerAgent({ protocols: ["a2a"] });
  const status = async () => (await read(`/agents/${agent.publicId}/agent-card.json`)).status;
  assert.equal(await status(), 404, "unverified");
  for (const [state, expected] of [
    ["verified", 200],
    ["grace", 200],
    ["lapsed", 404],
  ] as const) {
    await setDomainStatus(agent, state);
    assert.equal(await status(), expected, state);
  }
});

test("a filter is comparisons joined by AND, each field once", () => {
  assert.deepEqual(parseFilter("a.b = 'x' AND c='y z'"), { "a.b": ["x"], c: ["y z"] });
  assert.deepEqual(parseFilter(" "), {});
  for (const text of ["a", "a = b", "a = 'x' OR b = 'y'", "a = 'x' AND a = 'y'", "a = 'x' AND "])
    assert.equal(parseFilter(text), undefined, text);
});
