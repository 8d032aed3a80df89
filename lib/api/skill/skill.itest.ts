import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { ENDPOINTS } from "#lib/api/registry.ts";
import { accessOf } from "#lib/kernel/access.ts";
import { ERRORS } from "#lib/kernel/errors.ts";
import { call } from "#testing/client.ts";
import { agentWithOffer } from "#testing/factories.ts";
import { newFolder } from "#testing/folder.ts";
import { mcpClient } from "#testing/mcp-clients.ts";
import { servedService } from "#testing/served.ts";
import { did, type Work } from "#testing/workflow.ts";
import { SKILL_PATH } from "./skill.ts";

const run = promisify(execFile);
let skill: string;
const http = servedService({}, async () => {
  skill = await (await fetch(`${http.url}/skill.md`)).text();
});

test("the skill is the same in all three places, and has the digest that the index gives", async () => {
  const answer = await fetch(`${http.url}${SKILL_PATH}`);
  assert.equal(answer.headers.get("content-type"), "text/markdown; charset=utf-8");
  assert.equal(await answer.text(), skill);
  const client = await mcpClient("2026-07-28", http.url);
  assert.equal(await client.read("skill://guildhall/SKILL.md"), skill);
  await client.close();
  const index = (await (await fetch(`${http.url}/.well-known/agent-skills/index.json`)).json()) as {
    skills: { name: string; url: string; digest: string }[];
  };
  assert.deepEqual(
    index.skills.map(({ name, url, digest }) => [name, url, digest]),
    [["guildhall", SKILL_PATH, `sha256:${hash("sha256", skill, "hex")}`]],
  );
});

test("the skill is valid, short, and names only this installation and error codes that exist", async () => {
  const place = join(newFolder(), "guildhall");
  mkdirSync(place);
  writeFileSync(join(place, "SKILL.md"), skill);
  const { stdout } = await run(process.execPath, ["node_modules/skills-ref/dist/cli.js", "validate", place]);
  assert.match(stdout, /^Valid skill/);
  assert.ok(skill.split("\n").length < 500);
  // A token has more than three characters, even where the text is mostly names and URLs.
  assert.ok(skill.length / 3.2 < 5_000, `${skill.length} characters`);
  assert.doesNotMatch(skill, /\{\{|undefined|localhost:3000/);
  const named = [...skill.matchAll(/\d{3} `([a-z_]+)`/g)].map(([, code = ""]) => code);
  for (const code of named) assert.ok(code in ERRORS, code);
  // Only Stripe gets the one; the other means that an agent doesn't follow the table of calls.
  const left = ["webhook_refused", "method_not_allowed"];
  for (const code of Object.keys(ERRORS)) assert.ok(left.includes(code) !== named.includes(code), code);
  assert.doesNotMatch(
    skill,
    />\s*\S*\.(?:env|txt|json)\b|\| *(?:sh|bash)\b/,
    "no redirection of secrets, no piping into a shell",
  );
});

type Example = { language: string; text: string };

function examples(): Example[] {
  return [...skill.matchAll(/^```(http|sh)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}

const fill = (text: string, places: Record<string, string>) =>
  text.replace(/\$(GUILDHALL_[A-Z_]+)|\{([A-Z_]+)\}/g, (all, secret: string | undefined, place: string | undefined) => {
    const value = places[secret ?? place ?? ""];
    assert.ok(value !== undefined, `${all} has no value yet`);
    return value;
  });

// biome-ignore lint/suspicious/noExplicitAny: the answers of many endpoints, of which each line looks at one field
async function send(text: string): Promise<any> {
  const [head = "", body] = text.split("\n\n", 2);
  const [start = "", ...lines] = head.trim().split("\n");
  const [method = "", url = ""] = start.split(" ");
  const headers = lines.map((line) => line.split(": ", 2) as [string, string]);
  const answer = await fetch(url, { method, headers, ...(method === "POST" ? { body: body ?? "" } : {}) });
  const read = await answer.json();
  assert.ok(answer.ok, `${start}: ${JSON.stringify(read)}`);
  return read;
}

/** The examples, in their order, with what a reader does between them. */
async function follow(places: Record<string, string>, before: (text: string) => Promise<void> | void): Promise<number> {
  let sent = 0;
  for (const { language, text } of examples()) {
    if (language === "sh") {
      const { stdout } = await run("sh", ["-c", text]);
      places.OFFER_ID = JSON.parse(stdout).matches[0].offer.offer_id;
      continue;
    }
    await before(text);
    sent += 1;
    const answer = await send(fill(text, { ...places, REQUEST_ID: `request-${sent}` }));
    const { public_id, management_token, access_token, community_key, offer, rehearsal, contract, task, payment } =
      answer;
    if (management_token)
      Object.assign(places, { GUILDHALL_PUBLIC_ID: public_id, GUILDHALL_MANAGEMENT_TOKEN: management_token });
    if (access_token) places.GUILDHALL_TOKEN = access_token;
    if (community_key) places.GUILDHALL_COMMUNITY_KEY = community_key;
    if (offer) places.OFFER_ID = offer.offer_id;
    if (rehearsal) places.TASK_ID = rehearsal.task_id;
    if (contract) Object.assign(places, { CONTRACT_ID: contract.contract_id, TERMS_HASH: contract.terms_hash });
    if (task) Object.assign(places, { TASK_ID: task.task_id, VERSION: String(task.version), STATE: task.state });
    if (payment) places.PAYMENT_ID = payment.payment_id;
  }
  return sent;
}

test("every example works as printed, in its order, from nothing to a rehearsal and to a deal of the agent's own", async () => {
  const provider = await agentWithOffer({ skill: "word-count", price_pence: 500, input_schema: { type: "object" } });
  const work: Partial<Work> = { provider, amountPence: 500 };
  const places: Record<string, string> = { HOST: "alpha.example.com" };
  /** What the text says in words, in the agent's place. */
  const say = async (path: string, fields: Record<string, string>) => {
    const body = { public_id: places.GUILDHALL_PUBLIC_ID, ...fields };
    const answer = await call("POST", `/api/v1/${path}.php`, { token: places.GUILDHALL_TOKEN ?? "", body });
    assert.equal(answer.error, undefined, path);
  };
  const between: [RegExp, () => Promise<unknown>][] = [
    [/agents\/offers/, () => say("agents/verify", {})],
    [/jobs\/submit/, () => say("jobs/start", { task_id: places.TASK_ID ?? "" })],
    [
      /payments\/intent/,
      async () => {
        Object.assign(work, { taskId: places.TASK_ID });
        await did(provider, "claim", work as Work);
        await did(provider, "accept", work as Work);
        places.CONTRACT_ID = work.contractId ?? "";
      },
    ],
    [
      /jobs\/complete/,
      async () => {
        await say("payments/confirm", { payment_id: places.PAYMENT_ID ?? "", outcome: "succeed" });
        await did(provider, "start", work as Work);
        await did(provider, "submit", work as Work);
      },
    ],
  ];
  const sent = await follow(places, async (text) => {
    for (const [path, act] of between) if (path.test(text)) await act();
  });
  assert.ok(sent >= 12, `only ${sent} examples were found`);
  assert.equal(places.STATE, "completed");
});

test("the table has every call that an agent may make but those for programs and people, and the calls that the text names exist", () => {
  for (const { path, method, auth, tag, selector } of ENDPOINTS) {
    const { bearer } = accessOf(auth);
    const [, name = ""] = /(\w+)\.php$/.exec(path) ?? [];
    const isLeftOut = /webhook|template|dashboard|fee_statement/.test(name);
    if (bearer === undefined || tag === "Owners" || isLeftOut) continue;
    const row = new RegExp(`^\\| ${method} [^|]*\\b${selector?.value ?? name}\\b[^|]*\\|`, "m");
    assert.match(skill, row, `${method} ${path} ${selector?.value ?? ""}`);
  }
  const paths = new Set(ENDPOINTS.map(({ path }) => path.replace("/api/v1/", "")));
  for (const [path] of skill.matchAll(/\b(?:agents|jobs|contracts|payments)\/\w+\.php/g))
    assert.ok(paths.has(path), path);
});
