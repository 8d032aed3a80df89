import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { callTool } from "../../lib/api/mcp/call-tool.ts";
import { runGuildhall } from "../../testing/command-line.ts";
import { configure } from "../../testing/configuration.ts";
import { until } from "../../testing/examples/example-programs.ts";
import { type TestAgent, verifiedAgent } from "../../testing/factories.ts";
import { put, sha256Of } from "../../testing/files.ts";
import { servedService } from "../../testing/served.ts";
import { did, taskAt } from "../../testing/workflow.ts";
import { Guildhall } from "./client.ts";
import { BadAnswer, FileRemoved, InvalidInput, NotFound } from "./errors.ts";

const folder = mkdtempSync(join(tmpdir(), "guildhall-sdk-files-"));
let requester: TestAgent;
let provider: TestAgent;
const served = servedService({}, async () => {
  [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  return () => rmSync(folder, { recursive: true });
});

const clientOf = ({ publicId, token }: TestAgent, options = {}) =>
  new Guildhall({ baseUrl: served.url, publicId, token, communityKey: "", ...options });
const open = () => taskAt("open", { requester, provider }, { amountPence: 0 });

test("a path, a Blob, bytes and a stream are uploaded alike, and come back as they were", async () => {
  const guild = clientOf(requester);
  const { taskId: task_id } = await open();
  const path = join(folder, "words.txt");
  writeFileSync(path, "words");
  const contents = [path, new Blob(["words"]), Buffer.from("words"), new Blob(["words"]).stream()];
  const ids = new Set<string>();
  for (const content of contents) {
    const about = { task_id, purpose: "brief", name: "words.txt", media_type: "text/plain" } as const;
    const { file } = await guild.files.upload(content, about);
    assert.deepEqual([file.name, file.media_type, file.sha256], ["words.txt", "text/plain", sha256Of("words")]);
    ids.add(file.file_id);
  }
  assert.equal(ids.size, 1);
  const [id = ""] = ids;
  assert.equal(await (await guild.files.download(id)).text(), "words");
  const changing: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    return new Response("other", { status: response.status, headers: response.headers });
  };
  await assert.rejects(clientOf(requester, { fetch: changing }).files.download(id), BadAnswer);
  await assert.rejects(clientOf(await verifiedAgent()).files.download(id), NotFound);
  await assert.rejects(guild.files.upload(Buffer.from("x"), { task_id, purpose: "brief", name: "a/b" }), InvalidInput);
  await assert.rejects(guild.files.upload(Buffer.from("x"), { task_id, purpose: "brief" }), TypeError);
  await guild.jobs.removeFile({ file_id: id });
  await assert.rejects(guild.files.download(id), FileRemoved);
});

const run = (
  { publicId, token }: TestAgent,
  args: string[],
  ...watched: [signal?: AbortSignal, onLine?: (text: string) => void]
) => {
  const own = { GUILDHALL_BASE_URL: served.url, GUILDHALL_PUBLIC_ID: publicId, GUILDHALL_TOKEN: token };
  return runGuildhall(
    args,
    { ...own, PATH: process.env.PATH, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder },
    ...watched,
  );
};

test("guildhall files puts, lists and gets, and replaces no file on disk", async () => {
  const { taskId } = await open();
  const path = join(folder, "up.csv");
  writeFileSync(path, "a,b\n");
  const putting = ["files", "put", path, "--task-id", taskId, "--purpose", "brief", "--type", "text/csv"];
  const { code, out } = await run(requester, putting);
  assert.equal(code, 0);
  const { file_id: id } = JSON.parse(out) as { file_id: string };
  const listed = JSON.parse((await run(requester, ["files", "list", "--task-id", taskId])).out);
  assert.deepEqual(
    listed.files.map(({ name, sha256 }: Record<string, string>) => [name, sha256]),
    [["up.csv", sha256Of("a,b\n")]],
  );
  const down = join(folder, "down.csv");
  assert.equal((await run(requester, ["files", "get", id, "--output", down])).code, 0);
  assert.equal(readFileSync(down, "utf8"), "a,b\n");
  writeFileSync(down, "mine");
  assert.notEqual((await run(requester, ["files", "get", id, "--output", down])).code, 0);
  assert.equal(readFileSync(down, "utf8"), "mine");
  assert.equal((await run(requester, ["files", "put", path, "--task-id", taskId])).code, 2);
});

test("a provider waits for the files of a brief, its program finds them in one folder, and what it leaves in another is submitted", async () => {
  const words = "one two three";
  const expected_files = [{ name: "words.txt", sha256: sha256Of(words) }];
  const fields = { provider_public_id: provider.publicId, expected_files };
  const work = await taskAt("open", { requester, provider }, { amountPence: 0, task: fields });
  await did(requester, "prepare", work, { accept: true });
  const script = join(folder, "work.mjs");
  writeFileSync(
    script,
    `import { readFileSync, symlinkSync, writeFileSync, mkdirSync } from "node:fs";
     const { GUILDHALL_FILES_IN: given, GUILDHALL_FILES_OUT: out, ...env } = process.env;
     if (Object.keys(env).some((name) => name.startsWith("GUILDHALL_"))) throw new Error("a secret");
     writeFileSync(out + "/count.json", JSON.stringify({ words: readFileSync(given + "/words.txt", "utf8").split(" ").length }));
     writeFileSync(out + "/.hidden", "x");
     mkdirSync(out + "/folder");
     symlinkSync("/etc/hostname", out + "/link");
     console.log("Counted.");`,
  );
  const stop = new AbortController();
  const command = ["provider", "--interval", "1", "--accept", "--", process.execPath, script];
  let out = "";
  const running = run(provider, command, stop.signal, (text) => {
    out += text;
  });
  await until("the wait for files", () => /"waiting".*have not arrived/.test(out) || undefined);
  await put(requester, { taskId: work.taskId, name: "words.txt", bytes: words });
  const task = await until("the submission", async () => {
    const shown = await clientOf(requester).jobs.show({ task_id: work.taskId });
    return shown.task.state === "submitted" ? shown.task : undefined;
  });
  stop.abort();
  await running;
  assert.deepEqual(
    [task.result, task.result_files],
    ["Counted.", [{ name: "count.json", size: 11, sha256: sha256Of('{"words":3}') }]],
  );
});

test("the MCP tool jobs_files brings small texts along, and links to everything else", async () => {
  const { taskId } = await open();
  const upload = (name: string, bytes: string | Uint8Array<ArrayBuffer>, type: string) =>
    put(requester, { taskId, name, bytes, headers: { "Content-Type": type } });
  await upload("small.txt", "Small.", "text/plain");
  await upload("large.txt", "x".repeat(64 * 1024 + 1), "text/plain");
  await upload("picture.png", Buffer.from([0x89]), "image/png");
  await upload("binary.txt", Buffer.from([0xff, 0xfe]), "text/plain");
  const headers = new Headers({ Authorization: `Bearer ${requester.token}` });
  const tool = () =>
    callTool(
      "jobs_files",
      { task_id: taskId },
      { headers, origin: { address: "192.0.2.1" }, through: "static_mcp" as const },
    );
  const answer = await tool();
  assert.equal(answer?.isError, undefined, JSON.stringify(answer));
  const [, ...contents] = answer?.content ?? [];
  assert.deepEqual(
    contents.map((each) =>
      each.type === "resource" ? each.resource.text : each.type === "resource_link" && each.name,
    ),
    ["binary.txt", "picture.png", "large.txt", "Small."],
  );
  await configure({ BASE_URL: served.url, FILES: "off" });
  assert.equal(await tool(), undefined);
  await configure({ BASE_URL: served.url });
});
