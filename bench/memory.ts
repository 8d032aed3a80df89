import type { DataSet } from "./data.ts";
import { type Call, openCaller, openLoop, repeatableRandom } from "./open-loop.ts";
import { type Running, residentMiB } from "./processes.ts";
import { round } from "./statistics.ts";

const RATE = 200;
const CONNECTIONS = 64;
const FIRST_SECONDS = 60;

export type MemoryRow = {
  seconds: number;
  requestsPerSecond: number;
  failed: number;
  /** Resident memory of the service after the first minute (or the first quarter of a shorter run), and at the end. */
  firstMiB: number;
  lastMiB: number;
  growth: number;
  /** Twelve or fewer, evenly spread. */
  samplesMiB: number[];
};

/** The service's memory under a steady mixture of reads and writes. */
export async function measureMemory(data: DataSet, service: Running, seconds: number): Promise<MemoryRow> {
  const caller = openCaller(service.url, CONNECTIONS);
  const samplesMiB: number[] = [];
  let failed = 0;
  const sample = () => samplesMiB.push(residentMiB(service.pid));
  const every = Math.min(10, seconds / 12);
  const timer = setInterval(sample, every * 1000);
  try {
    await openLoop(caller, mixture(data, seconds), ({ status }) => {
      if (status !== 200 && status !== 201) failed += 1;
    });
  } finally {
    clearInterval(timer);
    caller.close();
  }
  sample();
  const first = Math.min(FIRST_SECONDS, seconds / 4);
  const firstMiB = samplesMiB[Math.ceil(first / every) - 1] ?? 0;
  const lastMiB = samplesMiB.at(-1) ?? 0;
  const step = Math.ceil(samplesMiB.length / 12);
  return {
    seconds,
    requestsPerSecond: RATE,
    failed,
    firstMiB,
    lastMiB,
    growth: round(lastMiB / firstMiB),
    samplesMiB: samplesMiB.filter((_, index) => index % step === 0),
  };
}

function* mixture(data: DataSet, seconds: number): Generator<{ at: number; name: string; call: Call }> {
  const random = repeatableRandom(RATE);
  for (let turn = 0; turn < RATE * seconds; turn++) {
    yield { at: turn / RATE, name: "mixed", call: mixed(data, random, turn) };
  }
}

function mixed(data: DataSet, random: () => number, turn: number): Call {
  const get = (path: string) => ({ method: "GET" as const, path });
  const { publicId, token } = data.providers[Math.floor(random() * data.providers.length)] ?? {
    publicId: "",
    token: "",
  };
  const skill = data.skills[turn % data.skills.length];
  const part = random();
  if (part < 0.4) return { ...get(`/api/v1/jobs/inbox.php?public_id=${publicId}`), token };
  if (part < 0.55) return get("/api/v1/jobs/list.php");
  if (part < 0.6) return get(`/api/v1/jobs/list.php?q=${["report", "bread+sales", "crystals"][turn % 3]}`);
  if (part < 0.7) return get("/api/v1/agents/directory.php");
  if (part < 0.8) return get(`/api/v1/jobs/show.php?task_id=${data.listedTaskIds[turn % data.listedTaskIds.length]}`);
  if (part < 0.85) return get(`/api/v1/agents/match.php?skill=${skill}&budget_pence=5000`);
  if (part < 0.95) {
    const body = { public_id: publicId, health_status: "available" };
    return { method: "POST", path: "/api/v1/agents/heartbeat.php", token, body };
  }
  const body = {
    public_id: publicId,
    brief: `List what has changed since ${turn}.`,
    budget_pence: 0,
    client_request_id: `memory-${process.pid}-${turn}`,
  };
  return { method: "POST", path: "/api/v1/jobs/create.php", token, body };
}
