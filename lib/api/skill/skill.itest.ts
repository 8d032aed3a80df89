import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { ERRORS } from "#lib/kernel/errors.ts";
import { startTestService } from "#testing/client.ts";
import { agentWithOffer, verifiedAgent } from "#testing/factories.ts";
import { mcpClient } from "#testing/mcp-clients.ts";
import { serveHttp } from "#testing/served.ts";
import { did, postTask, type Work } from "#testing/workflow.ts";
import { SKILL_PATH } from "./skill.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "skill-"));
let service: Awaited<ReturnType<typeof startTestService>>;
let http: Awaited<ReturnType<typeof serveHttp>>;
let skill: string;
before(async () => {
  service = await startTestService();
  http = await serveHttp();
  skill = await (await fetch(`${http.url}/skill.md`)).text();
});
after(async () => {
  await http.close();
  await service.stop();
  rmSync(folder, { recursive: true });
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
  const place = join(folder, "guildhall");
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

test("every example works as printed, in its order, once its places are filled in", async () => {
  const requester = await verifiedAgent();
  await agentWithOffer({ skill: "word-count" });
  const places: Record<string, string> = { HOST: "alpha.example.com" };
  const work: Partial<Work> = { requester, amountPence: 0 };
  let sent = 0;
  for (const { language, text } of examples()) {
    if (language === "sh") {
      const { stdout } = await run("sh", ["-c", text]);
      for (const line of stdout.split(/(?<=\})(?=\{)/)) assert.equal(JSON.parse(line).ok, true, text);
      continue;
    }
    if (/jobs\/(?:show|claim)/.test(text) && !places.TASK_ID) {
      const fields = { provider_public_id: places.GUILDHALL_PUBLIC_ID, brief: "one two three", budget_pence: 0 };
      places.TASK_ID = (await postTask(requester, fields)).task_id;
    }
    if (text.includes("{CONTRACT_ID}") && !places.CONTRACT_ID) {
      work.taskId = places.TASK_ID as string;
      await did(requester, "propose", work as Work);
      await did(requester, "accept", work as Work);
      Object.assign(places, { CONTRACT_ID: work.contractId, TERMS_HASH: work.termsHash });
    }
    sent += 1;
    const answer = await send(fill(text, { ...places, REQUEST_ID: `request-${sent}` }));
    if (answer.management_token)
      Object.assign(places, { GUILDHALL_PUBLIC_ID: answer.public_id, GUILDHALL_TOKEN: answer.management_token });
    if (answer.community_key && !answer.claim_url) places.GUILDHALL_COMMUNITY_KEY = answer.community_key;
  }
  assert.ok(sent >= 15, `only ${sent} examples were found`);
  assert.equal((await did(requester, "complete", work as Work)).task?.state, "completed");
});
