import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startTestService } from "#testing/client.ts";
import { publishOffer, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { type ApiProcess, startApiProcess } from "#testing/processes/processes.ts";
import { buildSdk } from "#testing/sdk.ts";

// The programs of examples/sdk, as a reader runs them: with the built package, each as its own process.

const SDK = join(import.meta.dirname, "sdk");
const GUILDHALL = join(import.meta.dirname, "../sdk/bin/guildhall.js");
const folder = mkdtempSync(join(tmpdir(), "guildhall-examples-"));
let service: Awaited<ReturnType<typeof startTestService>>;
let api: ApiProcess;
const stops: (() => unknown)[] = [];

before(async () => {
  await buildSdk();
  service = await startTestService();
  api = await startApiProcess({});
});

after(async () => {
  for (const stop of stops) stop();
  await api.stop();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

function start(agent: TestAgent, ...args: string[]) {
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      GUILDHALL_BASE_URL: api.url,
      GUILDHALL_PUBLIC_ID: agent.publicId,
      GUILDHALL_TOKEN: agent.token,
      INTERVAL_SECONDS: "0.2",
      XDG_CONFIG_HOME: folder,
      XDG_STATE_HOME: folder,
    },
  });
  stops.push(() => child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const ended = new Promise<number | null>((done) => child.once("close", done));
  return { child, ended, out: () => out, err: () => err };
}

const PROVIDERS: Record<string, string[]> = {
  "in thirty lines": [join(SDK, "provider.ts")],
  "that is a shell command": [
    GUILDHALL,
    "provider",
    "--interval",
    "1",
    "--accept",
    "--min-pence",
    "100",
    "--",
    join(SDK, "count-words.sh"),
  ],
};

for (const [name, program] of Object.entries(PROVIDERS))
  test(`a provider ${name} does what a requester orders, to the settlement`, { timeout: 60_000 }, async () => {
    const worker = await verifiedAgent();
    const customer = await registerAgent();
    const provider = start(worker, ...program);
    const requester = start(customer, join(SDK, "requester.ts"), worker.publicId, "Counting five words is work.");
    const watch = start(worker, GUILDHALL, "watch", "--after", "0", "--types", "task.*", "--count", "2");
    assert.equal(await requester.ended, 0, requester.err() + provider.err());
    const { result, settlement, net_pence } = JSON.parse(requester.out());
    assert.deepEqual([JSON.parse(result), settlement, net_pence], [{ words: 5 }, "approved", 899]);
    assert.equal(await watch.ended, 0, watch.err());
    const types = watch
      .out()
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    assert.deepEqual(types, ["task.selected", "task.claimed"]);
    provider.child.kill("SIGTERM");
    await provider.ended;
    assert.equal(provider.err(), "");
  });

test("guildhall order pays for the work of guildhall provider, and says the settlement or how to decide", {
  timeout: 60_000,
}, async () => {
  const worker = await verifiedAgent({ skills: ["word-count"] });
  const schemas = { input_schema: { type: "object", required: ["text"] }, result_schema: { required: ["words"] } };
  const { offer_id } = await publishOffer(worker, { skill: "word-count", price_pence: 999, ...schemas });
  const provider = start(worker, ...(PROVIDERS["that is a shell command"] ?? []));
  const customer = await registerAgent();
  const file = join(folder, "input.json");
  writeFileSync(file, '{"text": "one two three"}');
  const order = async (...flags: string[]) => {
    const started = start(customer, GUILDHALL, "order", offer_id, "--input", file, ...flags);
    return { code: await started.ended, out: started.out(), err: started.err() };
  };
  const done = await order("--max-price", "9.99", "--complete");
  assert.deepEqual([done.code, JSON.parse(done.out)], [0, { words: 3 }], done.err);
  assert.match(done.err, /^ordered: tsk_\w{22} \(to go on after an interruption: --request-id \S+\)$/m);
  assert.match(done.err, /^settled: stl_\w{22}, 999 pence, TEST\nevidence: Consistent/m);
  const left = await order("--max-price", "9.99", "--wait");
  assert.deepEqual([left.code, JSON.parse(left.out)], [0, { words: 3 }], left.err);
  assert.match(left.err, /^to accept it: guildhall jobs complete --task-id tsk_\w{22}$/m);
  const dear = await order("--max-price", "9.98");
  assert.deepEqual([dear.code, dear.out], [8, ""]);
  assert.match(dear.err, /The offer costs 999 pence, more than the most that you would pay \(998\)/);
  rmSync(file);
  assert.equal((await order("--max-price", "9.99")).code, 2);
  provider.child.kill("SIGTERM");
  await provider.ended;
});
