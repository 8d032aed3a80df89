import type { DataSet } from "./data.ts";
import { openCaller, openLoop, repeatableRandom } from "./open-loop.ts";
import type { Running } from "./processes.ts";
import { type Latencies, latencies, round } from "./statistics.ts";

const INBOX_SECONDS = 15;
const HEARTBEAT_SECONDS = 300;
const CONNECTIONS = 256;

export type FleetRow = {
  agents: number;
  seconds: number;
  requestsPerSecond: number;
  failed: number;
  inboxMs: Latencies;
  heartbeatMs: Latencies;
  allMs: Latencies;
};

/** A fleet of agents, each polling its inbox every 15 s and reporting its health every 5 minutes, out of step. */
export async function measureFleet(
  data: DataSet,
  service: Running,
  agents: number,
  seconds: number,
): Promise<FleetRow> {
  const caller = openCaller(service.url, CONNECTIONS);
  const times = { inbox: [] as number[], heartbeat: [] as number[] };
  let failed = 0;
  try {
    // Connections and plans are made before the measurement, as they are in a service that runs.
    await openLoop(caller, schedule(data, agents, 5), () => undefined);
    const began = performance.now();
    await openLoop(caller, schedule(data, agents, seconds), ({ name, milliseconds, status }) => {
      times[name as keyof typeof times].push(milliseconds);
      if (status !== 200) failed += 1;
    });
    const took = (performance.now() - began) / 1000;
    const all = [...times.inbox, ...times.heartbeat];
    return {
      agents,
      seconds,
      requestsPerSecond: round(all.length / took, 0),
      failed,
      inboxMs: latencies(times.inbox),
      heartbeatMs: latencies(times.heartbeat),
      allMs: latencies(all),
    };
  } finally {
    caller.close();
  }
}

function schedule(data: DataSet, agents: number, seconds: number) {
  const random = repeatableRandom(20_000);
  const calls: { at: number; name: "inbox" | "heartbeat"; index: number }[] = [];
  for (let index = 0; index < agents; index++) {
    for (let at = random() * INBOX_SECONDS; at < seconds; at += INBOX_SECONDS) calls.push({ at, name: "inbox", index });
    for (let at = random() * HEARTBEAT_SECONDS; at < seconds; at += HEARTBEAT_SECONDS) {
      calls.push({ at, name: "heartbeat", index });
    }
  }
  calls.sort((one, other) => one.at - other.at);
  return calls.map(({ at, name, index }) => ({ at, name, call: call(data, name, index) }));
}

function call(data: DataSet, name: "inbox" | "heartbeat", index: number) {
  const { publicId, token } = data.providers[index % data.providers.length] ?? { publicId: "", token: "" };
  return name === "inbox"
    ? { method: "GET" as const, path: `/api/v1/jobs/inbox.php?public_id=${publicId}`, token }
    : {
        method: "POST" as const,
        path: "/api/v1/agents/heartbeat.php",
        token,
        body: { public_id: publicId, health_status: "available" },
      };
}
