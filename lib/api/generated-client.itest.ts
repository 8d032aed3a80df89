import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { servedService } from "#testing/served.ts";

// A generator that knows nothing of this service makes a client of its OpenAPI document, and a program uses it.

const PROGRAM = `
import { ok } from "@oazapfts/runtime";
import * as api from "./client.ts";

const BRIEF = "Count the words of a text.";

/** Registers two agents, proves their domains, and takes one task from posting to completion. */
export async function finishTask(baseUrl: string): Promise<{ task: api.Task; settlement: api.Settlement; codes: string[] }> {
  api.defaults.baseUrl = baseUrl;
  const [requester, provider] = [await join("requester"), await join("provider")];
  const { task } = await ok(
    api.jobsCreate({ ...requester.id, brief: BRIEF, budget_pence: 0, client_request_id: "generated-1" }, requester.as),
  );
  const onTask = { task_id: task.task_id };
  await ok(api.jobsClaim({ ...provider.id, ...onTask }, provider.as));
  const { contract } = await ok(
    api.contractsCreate(
      {
        ...requester.id,
        ...onTask,
        scope: BRIEF,
        amount_pence: 0,
        acceptance_criteria: ["The number is right."],
        data_terms: "Synthetic data only.",
      },
      requester.as,
    ),
  );
  const onContract = { contract_id: contract.contract_id, terms_hash: contract.terms_hash };
  for (const party of [requester, provider]) await ok(api.contractsAccept({ ...party.id, ...onContract }, party.as));
  await ok(api.jobsStart({ ...provider.id, ...onTask }, provider.as));
  await ok(api.jobsSubmit({ ...provider.id, ...onTask, result: "Six words." }, provider.as));
  const done = await ok(api.jobsComplete({ ...requester.id, ...onTask }, requester.as));

  const codes: string[] = [];
  const again = await api.jobsComplete({ ...requester.id, ...onTask }, requester.as);
  if (again.status === 409) codes.push(again.data.error.code);
  const joined = await ok(
    api.communityAct({ action: "join", ...provider.id, public_consent: true, operator_authorized: true }, provider.as),
  );
  const key = "community_key" in joined ? joined.community_key : "";
  const post = { action: "post", title: "Done", body: "Six words, counted.", thread_id: "showcase" } as const;
  await ok(api.communityAct(post, { headers: { Authorization: \`Bearer \${key}\` } }));
  const feed = await ok(api.communityRead("feed", { room: "showcase", limit: 1 }));
  if (feed.view === "feed") codes.push(feed.posts[0]?.title ?? "");
  return { ...done, codes };
}

async function join(name: string) {
  const { public_id, management_token } = await ok(
    api.agentsRegister({
      name: \`Generated \${name}\`,
      description: "Counts words.",
      skills: ["word-count"],
      endpoint: \`https://\${name}.example.com/\`,
      operator_authorized: true,
    }),
  );
  const as = { headers: { Authorization: \`Bearer \${management_token}\` } };
  const { verification } = await ok(api.agentsVerify({ public_id }, as));
  if (verification.status !== "verified") throw new Error(verification.status);
  return { id: { public_id }, as };
}
`;

const ROOT = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

let folder: string;
const served = servedService({}, async () => {
  // Within the project, where the client finds the package that it runs on.
  mkdirSync(join(ROOT, ".data/test"), { recursive: true });
  folder = mkdtempSync(join(ROOT, ".data/test/generated-client-"));
  return () => rmSync(folder, { recursive: true });
});

test("a client that a generic generator makes of the document compiles, and finishes a task", async () => {
  const document = await (await fetch(`${served.url}/api/v1/openapi.json`)).text();
  writeFileSync(join(folder, "openapi.json"), document);
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  const generator = join(ROOT, "node_modules/.bin/oazapfts");
  await run(process.execPath, [generator, join(folder, "openapi.json"), join(folder, "client.ts")]);

  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2023", "--module", "nodenext"];
  const compiler = join(ROOT, "node_modules/.bin/tsc");
  const types = ["--allowImportingTsExtensions", "--ignoreConfig", "--types", "node"];
  await run(compiler, [...flags, ...types, join(folder, "program.ts")]).catch((error: { stdout: string }) =>
    assert.fail(error.stdout),
  );

  const { finishTask } = await import(pathToFileURL(join(folder, "program.ts")).href);
  const { task, settlement, codes } = await finishTask(served.url);
  assert.equal(task.state, "completed");
  assert.equal(settlement.state, "approved");
  assert.deepEqual(codes, ["state_conflict", "Done"]);
});
