import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { withClient } from "#lib/db/with-client.ts";
import type { Bench } from "./bench.ts";
import { inboxOf, pick } from "./cases.ts";
import { openCaller } from "./client.ts";
import type { DataSet } from "./data.ts";
import { type Running, residentMiB } from "./processes.ts";
import { median, percentile, round } from "./statistics.ts";
import { FILES } from "./targets.ts";
import { fileOf, type Place, put } from "./upload.ts";

const MIB = 1024 * 1024;
const FILE_MIB = 25;
const UPLOADS = 50;
/** A task holds four such files, an identity forty; one that is replaced counts until the other is there. */
const PER_TASK = 2;
const ROUNDS = 5;
const POLLS = 3_000;

/** Files of 25 MiB: one up and down against a bare server that only moves the bytes, and fifty up at once while others poll. */
export async function measureFiles(bench: Bench): Promise<void> {
  const data = await bench.open("fewTasks");
  // What an earlier run stored counts towards the quotas of the same identities.
  await withClient(data.url, (client) =>
    client.query("UPDATE files SET state = 'removed', removed_at = now() WHERE state <> 'removed' AND size > 0"),
  );
  const service = await bench.start(data);
  const bare = await bench.startBare(data);
  await measureThroughput(bench, data, service, bare);
  await measureMany(bench, data, service);
}

type Owner = { publicId: string; token: string };

async function taskOf(service: Running, { publicId, token }: Owner, at: string): Promise<string> {
  const response = await fetch(`${service.url}/api/v1/jobs/create.php`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      public_id: publicId,
      brief: "Files.",
      budget_pence: 0,
      client_request_id: `files-${at}-${Date.now()}`,
    }),
  });
  return ((await response.json()) as { task: { task_id: string } }).task.task_id;
}

function placeOf(service: Running, { publicId, token }: Owner, taskId: string, name: string): Place {
  const query = new URLSearchParams({ public_id: publicId, task_id: taskId, purpose: "brief" });
  return {
    url: `${service.url}/api/v1/jobs/files/${name}?${query}`,
    headers: { Authorization: `Bearer ${token}` },
  };
}

function get({ url, headers }: Place): Promise<void> {
  return new Promise((done, fail) => {
    const sent = request(url, { headers }, (response) => {
      let read = 0;
      response.on("data", (chunk: Buffer) => {
        read += chunk.length;
      });
      response.on("end", () => (read === FILE_MIB * MIB ? done() : fail(new Error(`${read} bytes`))));
    });
    sent.on("error", fail).end();
  });
}

/** Sends a file to all of these places at once, from a process of its own: polls of this one would wait for its sending. */
async function putAll(places: Place[], round: number): Promise<void> {
  const sender = spawn(process.execPath, [new URL("./upload.ts", import.meta.url).pathname], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  sender.stdin.end(JSON.stringify({ places, round }));
  const [code] = await once(sender, "exit");
  if (code !== 0) throw new Error(`The uploads ended with ${code}.`);
}

/** Mebibytes per second. */
async function speedOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return FILE_MIB / ((performance.now() - began) / 1000);
}

async function measureThroughput(bench: Bench, data: DataSet, service: Running, bare: Running): Promise<void> {
  const owner = pick(data.active, 0);
  const task = await taskOf(service, owner, "one");
  const bareFile = { url: `${bare.url}/file`, headers: {} };
  const speeds = { up: [] as number[], bareUp: [] as number[], down: [] as number[], bareDown: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    // Other bytes under the same name: they replace the file before.
    const bytes = fileOf(round);
    let answer = "";
    speeds.bareUp.push(await speedOf(() => put(bareFile, bytes)));
    speeds.up.push(
      await speedOf(async () => {
        answer = await put(placeOf(service, owner, task, "large.bin"), bytes);
      }),
    );
    const { file } = JSON.parse(answer) as { file: { file_id: string } };
    const stored = {
      ...placeOf(service, owner, task, "x"),
      url: `${service.url}/api/v1/jobs/files/${file.file_id}`,
    };
    speeds.bareDown.push(await speedOf(() => get(bareFile)));
    speeds.down.push(await speedOf(() => get(stored)));
  }
  for (const [way, own, other] of [
    ["up", speeds.up, speeds.bareUp],
    ["down", speeds.down, speeds.bareDown],
  ] as const) {
    const share = median(own) / median(other);
    bench.add({
      figure: `a file of 25 MiB ${way}`,
      measured: `${round(median(own))} MiB/s, ${Math.round(share * 100)} % of a bare server`,
      target: `≥ ${FILES.share * 100} %`,
      isMet: share >= FILES.share,
    });
  }
}

async function measureMany(bench: Bench, data: DataSet, service: Running): Promise<void> {
  const places: Place[] = [];
  for (let at = 0; at < UPLOADS; at += PER_TASK) {
    const owner = pick(data.active, 1 + Math.floor(at / 20));
    const task = await taskOf(service, owner, `${at}`);
    for (let file = 0; file < PER_TASK && at + file < UPLOADS; file += 1)
      places.push(placeOf(service, owner, task, `${file}.bin`));
  }
  const caller = openCaller(service.url, 1);
  const polls = async (until: (at: number) => boolean) => {
    const took: number[] = [];
    for (let at = 0; !until(at); at += 1) {
      took.push((await caller.send(inboxOf(pick(data.active, at)))).milliseconds);
    }
    return took;
  };
  // What a process takes for its first load, it keeps: memory is that of a later one.
  await putAll(places, ROUNDS);
  const quiet = percentile(await polls((at) => at >= POLLS), 99);
  const before = residentMiB(service.pid);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, residentMiB(service.pid));
  }, 50);
  const took: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    let isDone = false;
    const uploads = putAll(places, ROUNDS + round).finally(() => {
      isDone = true;
    });
    took.push(...(await polls(() => isDone)));
    await uploads;
  }
  const busy = percentile(took, 99);
  clearInterval(timer);
  caller.close();
  bench.add({
    figure: `memory of ${UPLOADS} uploads of 25 MiB at once`,
    measured: `${most - before} MiB more`,
    target: `< ${FILES.uploadsMiB} MiB`,
    isMet: most - before < FILES.uploadsMiB,
  });
  bench.add({
    figure: "inbox polls meanwhile, 99th percentile",
    measured: `${round(busy)} ms; ${round(quiet)} ms before: ${round(busy / quiet)} times as long`,
    target: `≤ ${FILES.pollRatio} times`,
    isMet: busy <= FILES.pollRatio * quiet,
  });
}
