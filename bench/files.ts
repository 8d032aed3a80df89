import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { withClient } from "#lib/db/with-client.ts";
import type { Bench } from "./bench.ts";
import { inboxOf, pick } from "./cases.ts";
import { get as ask, openCaller, type Request } from "./client.ts";
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

/** Files of 25 MiB: one up and down, and fifty up at once while others poll; both against a bare server that only moves the bytes. */
export async function measureFiles(bench: Bench): Promise<void> {
  const data = await bench.open("fewTasks");
  // What an earlier run stored counts towards the quotas of the same identities.
  await withClient(data.url, (client) =>
    client.query("UPDATE files SET state = 'removed', removed_at = now() WHERE state <> 'removed' AND size > 0"),
  );
  const service = await bench.start(data);
  const bare = await bench.startBare(data);
  await measureThroughput(bench, data, service, bare);
  await measureMany(bench, data, service, bare);
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

const barePlace = ({ url }: Running, number: number): Place => ({ url: `${url}/file?number=${number}`, headers: {} });

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
  const bareFile = barePlace(bare, 0);
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
  addSpeed(bench, "a file of 25 MiB up", median(speeds.up), median(speeds.bareUp));
  addSpeed(bench, "a file of 25 MiB down", median(speeds.down), median(speeds.bareDown));
}

function addSpeed(bench: Bench, figure: string, own: number, bare: number): void {
  bench.add({
    figure,
    measured: `${round(own)} MiB/s, ${Math.round((100 * own) / bare)} % of a bare server`,
    target: `≥ ${FILES.share * 100} %`,
    isMet: own / bare >= FILES.share,
  });
}

async function measureMany(bench: Bench, data: DataSet, service: Running, bare: Running): Promise<void> {
  const places: Place[] = [];
  for (let at = 0; at < UPLOADS; at += PER_TASK) {
    const owner = pick(data.active, 1 + Math.floor(at / 20));
    const task = await taskOf(service, owner, `${at}`);
    for (let file = 0; file < PER_TASK && at + file < UPLOADS; file += 1)
      places.push(placeOf(service, owner, task, `${file}.bin`));
  }
  const own = await pollsBeside(service, places, (at) => inboxOf(pick(data.active, at)));
  const barePlaces = places.map((_place, at) => barePlace(bare, at));
  const other = await pollsBeside(bare, barePlaces, (at) => ask(`/inbox?id=${pick(data.active, at).publicId}`));
  addSpeed(bench, `${UPLOADS} files of 25 MiB up at once`, own.speed, other.speed);
  bench.add({
    figure: `memory of ${UPLOADS} uploads of 25 MiB at once`,
    measured: `${own.moreMiB} MiB more; of the bare server ${other.moreMiB}`,
    target: `< ${FILES.uploadsMiB} MiB`,
    isMet: own.moreMiB < FILES.uploadsMiB,
  });
  bench.add({
    figure: "inbox polls meanwhile, 99th percentile",
    measured: `${timesOf(own)}; of the bare server ${timesOf(other)}`,
    target: `≤ ${FILES.pollRatio} times`,
    isMet: own.busyMs <= FILES.pollRatio * own.quietMs,
  });
}

type Beside = { moreMiB: number; quietMs: number; busyMs: number; speed: number };

const timesOf = ({ quietMs, busyMs }: Beside) =>
  `${round(quietMs)} → ${round(busyMs)} ms = ${round(busyMs / quietMs)} times as long`;

/** How fast uploads to all of these places at once are, how much memory they take, and how long polls take before and during them. */
async function pollsBeside(server: Running, places: Place[], poll: (at: number) => Request): Promise<Beside> {
  const caller = openCaller(server.url, 1);
  const polls = async (until: (at: number) => boolean) => {
    const took: number[] = [];
    for (let at = 0; !until(at); at += 1) took.push((await caller.send(poll(at))).milliseconds);
    return took;
  };
  // What a process takes for its first load, it keeps: memory is that of a later one.
  await putAll(places, ROUNDS);
  const quietMs = percentile(await polls((at) => at >= POLLS), 99);
  const before = residentMiB(server.pid);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, residentMiB(server.pid));
  }, 50);
  const took: number[] = [];
  const began = performance.now();
  for (let round = 1; round <= ROUNDS; round += 1) {
    let isDone = false;
    const uploads = putAll(places, ROUNDS + round).finally(() => {
      isDone = true;
    });
    took.push(...(await polls(() => isDone)));
    await uploads;
  }
  const seconds = (performance.now() - began) / 1000;
  clearInterval(timer);
  caller.close();
  const speed = (ROUNDS * places.length * FILE_MIB) / seconds;
  return { moreMiB: most - before, quietMs, busyMs: percentile(took, 99), speed };
}
