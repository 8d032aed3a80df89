import { Agent, get as httpGet, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { withClient } from "#lib/db/with-client.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { Bench } from "./bench.ts";
import { heartbeatOf, inboxOf, pick } from "./cases.ts";
import { get, openCaller, openLoop, post, type Request } from "./client.ts";
import type { DataSet, Agent as Identity } from "./data.ts";
import { countTransactions, type Running, residentMiB, residentMiBOfPages } from "./processes.ts";
import { repeatableRandom, round } from "./statistics.ts";
import { MEMORY, START_SECONDS } from "./targets.ts";

export async function measureMemory(bench: Bench): Promise<void> {
  const data = await bench.open("tasks");
  const service = await bench.start(data);
  await measureSteady(bench, data, service);
  await service.stop();
  const seconds = round((await bench.start(data)).startSeconds);
  bench.add({
    figure: "start with a current build",
    measured: `${seconds} s`,
    target: `< ${START_SECONDS} s`,
    isMet: seconds < START_SECONDS,
  });
  await bench.close();

  const few = await bench.open("fewTasks");
  const serving = await bench.start(few);
  await measureStreams(bench, few, serving);
}

const RATE = 200;
const CONNECTIONS = 64;
/** What is compared with the end: the memory after the first minute, or after the first quarter of a shorter run. */
const FIRST_SECONDS = 60;

/** The service's memory under a steady mixture of reads and writes. */
async function measureSteady(bench: Bench, data: DataSet, service: Running): Promise<void> {
  const seconds = bench.plan.memorySeconds;
  const caller = openCaller(service.url, CONNECTIONS);
  let failed = 0;
  let first = 0;
  const timer = setTimeout(
    () => {
      first = residentMiB(service.pid);
    },
    Math.min(FIRST_SECONDS, seconds / 4) * 1000,
  );
  const random = repeatableRandom(RATE);
  const schedule = Array.from({ length: RATE * seconds }, (_, turn) => ({
    at: turn / RATE,
    request: anyRequest(data, random, turn),
  }));
  await openLoop(caller, schedule, ({ status }) => {
    if (status !== 200 && status !== 201) failed += 1;
  });
  clearTimeout(timer);
  caller.close();
  const last = residentMiB(service.pid);
  const growth = round(last / first);
  bench.add({
    figure: `memory over ${seconds} s at ${RATE}/s`,
    measured: `${first} → ${last} MiB = ${growth}; ${failed} failed`,
    target: `≤ ${MEMORY.growth}`,
    isMet: growth <= MEMORY.growth && failed === 0,
  });
}

function anyRequest(data: DataSet, random: () => number, turn: number): Request {
  const agent = pick(data.providers, Math.floor(random() * data.providers.length));
  const part = random();
  if (part < 0.4) return inboxOf(agent);
  if (part < 0.55) return get("/api/v1/jobs/list.php");
  if (part < 0.6) return get(`/api/v1/jobs/list.php?q=${pick(["report", "bread+sales", "crystals"], turn)}`);
  if (part < 0.7) return get("/api/v1/agents/directory.php");
  if (part < 0.8) return get(`/api/v1/jobs/show.php?task_id=${pick(data.listedTaskIds, turn)}`);
  if (part < 0.85) return get(`/api/v1/agents/match.php?skill=${pick(data.skills, turn)}&budget_pence=5000`);
  if (part < 0.95) return heartbeatOf(agent);
  const task = {
    public_id: agent.publicId,
    brief: `List what has changed since ${turn}.`,
    budget_pence: 0,
    client_request_id: `memory-${process.pid}-${turn}`,
  };
  return post("/api/v1/jobs/create.php", task, agent.token);
}

const STREAMING_AGENTS = 1_000;
const STREAMS_PER_AGENT = 2;
const AT_ONCE = 50;
const IDLE_SECONDS = 10;
const EVENTS = 5;
const MOST_WAIT_MS = 30_000;

/** What idle streams of events cost, how soon an event for all of them arrives, and the memory with streams and pages. */
async function measureStreams(bench: Bench, data: DataSet, service: Running): Promise<void> {
  const agents = data.active.slice(0, STREAMING_AGENTS);
  const wanted = agents.flatMap((agent) => Array.from({ length: STREAMS_PER_AGENT }, () => agent));
  const streams = wanted.length;
  const connections = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const open: IncomingMessage[] = [];
  /** When the streams got the event that was written last. */
  let arrivals: number[] = [];
  const arrive = () => arrivals.push(performance.now());
  try {
    // The first streams load code and grow buffers, which is not what the others cost.
    for (let turn = 0; turn < AT_ONCE; turn += 1) {
      (await openStream(service, pick(agents, 0), connections, () => undefined)).destroy();
      await delay(20);
    }
    await delay(2_000);
    const queriesBefore = await queryRate(data);
    const before = residentMiB(service.pid);
    for (let at = 0; at < streams; at += AT_ONCE) {
      const some = wanted.slice(at, at + AT_ONCE);
      open.push(...(await Promise.all(some.map((agent) => openStream(service, agent, connections, arrive)))));
    }
    const queries = await queryRate(data);
    const addedMiB = residentMiB(service.pid) - before;
    bench.add({
      figure: `${streams} idle streams of events`,
      measured: `${addedMiB} MiB; ${queriesBefore} → ${queries} queries/s`,
      target: `< ${MEMORY.streamsMiB} MiB, no queries`,
      isMet: addedMiB < MEMORY.streamsMiB && queries <= queriesBefore + 2,
    });

    const slowest = { first: 0, half: 0, all: 0 };
    for (let event = 0; event < EVENTS; event += 1) {
      arrivals = [];
      const recipients = agents.map(({ publicId }) => publicId);
      await writeEvent(data, recipients);
      const began = performance.now();
      while (arrivals.length < streams && performance.now() - began < MOST_WAIT_MS) await delay(5);
      const after = (count: number) => Math.round((arrivals[count - 1] ?? began + MOST_WAIT_MS) - began);
      slowest.first = Math.max(slowest.first, after(1));
      slowest.half = Math.max(slowest.half, after(streams / 2));
      slowest.all = Math.max(slowest.all, after(streams));
      await delay(500);
    }
    bench.add({
      figure: "an event for all streams",
      measured: `first ${slowest.first}, half ${slowest.half}, all ${slowest.all} ms`,
      target: `all < ${MEMORY.eventMs} ms`,
      isMet: slowest.all < MEMORY.eventMs,
    });

    const pages = await visitPages(data, service, bench.plan.pagesSeconds);
    const serviceMiB = residentMiB(service.pid);
    bench.add({
      figure: `memory with ${streams} streams and ${pages} pages`,
      measured: `${serviceMiB} MiB; ${residentMiBOfPages(service)} MiB in the process that renders`,
      target: `< ${MEMORY.mostMiB} MiB`,
      isMet: serviceMiB < MEMORY.mostMiB,
    });
  } finally {
    for (const stream of open) stream.destroy();
    connections.destroy();
  }
}

function openStream(
  { url }: Running,
  { publicId, token }: Identity,
  agent: Agent,
  onEvent: () => void,
): Promise<IncomingMessage> {
  const headers = { Accept: "text/event-stream", Authorization: `Bearer ${token}` };
  return new Promise((done, fail) => {
    httpGet(new URL(`/api/v1/events.php?public_id=${publicId}`, url), { headers, agent }, (response) => {
      if (response.statusCode !== 200) fail(new Error(`A stream was answered with ${response.statusCode}.`));
      response.on("error", () => undefined);
      response.on("data", (chunk: Buffer) => {
        if (chunk.includes("event: ")) onEvent();
      });
      done(response);
    }).on("error", fail);
  });
}

/** Transactions a second while nothing happens. */
async function queryRate({ url }: DataSet): Promise<number> {
  const from = await countTransactions(url);
  const began = performance.now();
  await delay(IDLE_SECONDS * 1000);
  const to = await countTransactions(url);
  return round((to - from) / ((performance.now() - began) / 1000), 1);
}

async function writeEvent({ url }: DataSet, recipients: string[]): Promise<void> {
  await withClient(url, (client) =>
    client.query(
      `INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, type, recipients, event_data)
       VALUES ($1, now(), 'system', 'bench', 'bench', 'task', 'bench', 'task.expired', $2, '{}')`,
      [newId("evt"), recipients],
    ),
  );
}

/** As many as one address may have waiting for a render: more are refused. */
const VISITORS = 24;

/** Visits another page each time, so that as many are cached as can be rendered before they are too old. @returns how many */
async function visitPages(data: DataSet, { url }: Running, seconds: number): Promise<number> {
  const paths = [
    ...data.listedTaskIds.map((id) => `/tasks/${id}`),
    ...data.providers.map(({ publicId }) => `/agents/${publicId}`),
  ];
  const caller = openCaller(url, VISITORS);
  const end = performance.now() + seconds * 1000;
  let pages = 0;
  const visit = async () => {
    while (performance.now() < end) {
      const path = pick(paths, pages);
      pages += 1;
      const { status } = await caller.send({ path });
      if (status !== 200) throw new Error(`${path} was answered with ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: VISITORS }, visit));
  caller.close();
  return pages;
}
