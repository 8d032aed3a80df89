import { setTimeout as delay } from "node:timers/promises";
import type { Bench } from "./bench.ts";
import { type Case, communityCases, inboxOf, pick, workCases } from "./cases.ts";
import { load, openCaller, post, type Request } from "./client.ts";
import type { DataSet } from "./data.ts";
import { type Cpu, type Running, startCpuMeter } from "./processes.ts";
import { median } from "./statistics.ts";
import { ACCESS_RATIO, rateTarget } from "./targets.ts";

const CONNECTIONS = 32;
const REQUESTS_PER_CONNECTION = 250;
const WARM_UP_SECONDS = 2;

export async function measureThroughput(bench: Bench): Promise<void> {
  const work = await bench.open("tasks");
  const service = await bench.start(work);
  await compare(bench, work, service, workCases(work));
  await compareCredentials(bench, work, service);
  await bench.close();
  const community = await bench.open("posts");
  await compare(bench, community, await bench.start(community), communityCases(community));
}

const CREDENTIALS = "inbox poll with an access token";
const MOST_TOKENS = 500;

/** Polls with access tokens as a part of those with management tokens, in turns and of one process. */
async function compareCredentials(bench: Bench, data: DataSet, service: Running): Promise<void> {
  if (!CREDENTIALS.includes(bench.only)) return;
  const agents = data.providers.slice(0, MOST_TOKENS);
  const caller = openCaller(service.url, 1);
  const tokens: string[] = [];
  for (const { publicId, token } of agents) {
    const body = { public_id: publicId, name: "Bench", scopes: ["read"] };
    const answer = await caller.send(post("/api/v1/agents/access_create.php", body, token));
    tokens.push((JSON.parse(answer.body.toString()) as { access_token: string }).access_token);
  }
  caller.close();
  const rates = { management: [] as number[], access: [] as number[] };
  for (let turn = 0; turn <= 2 * bench.plan.throughput.rounds; turn += 1)
    for (const kind of turn % 2 ? (["management", "access"] as const) : (["access", "management"] as const)) {
      const request = (index: number) => {
        const { publicId, token } = pick(agents, index);
        return inboxOf({ publicId, token: kind === "access" ? pick(tokens, index) : token });
      };
      const { rate } = await measureLoad(service, data, request, { seconds: bench.plan.throughput.seconds });
      if (turn > 0) rates[kind].push(rate);
    }
  const [management, access] = [median(rates.management), median(rates.access)];
  const ratio = management / access;
  bench.add({
    figure: `throughput: ${CREDENTIALS}`,
    measured: `${Math.round(access)}/s of ${Math.round(management)}/s: ${ratio.toFixed(3)} times as long`,
    target: `≤ ${ACCESS_RATIO}`,
    isMet: ratio <= ACCESS_RATIO,
  });
}

/** Requests per second of the service as a part of the bare server's. The two take turns, so that noise affects both. */
export async function compare(bench: Bench, data: DataSet, service: Running, cases: readonly Case[]): Promise<void> {
  const { rounds, seconds } = bench.plan.throughput;
  const sides = { bare: await bench.startBare(data), service };
  for (const one of cases.filter(({ name }) => name.includes(bench.only))) {
    const loads = { bare: [] as Load[], service: [] as Load[] };
    for (let turn = 0; turn <= rounds; turn += 1) {
      await one.prepare?.(service);
      for (const side of ["bare", "service"] as const) {
        const options = { seconds: turn === 0 ? WARM_UP_SECONDS : seconds, calls: one.calls };
        const measured = await measureLoad(sides[side], data, one[side], options);
        if (turn > 0) loads[side].push(measured);
      }
    }
    const rate = (side: keyof typeof loads) => Math.round(median(loads[side].map((each) => each.rate)));
    const cpu = (part: keyof Cpu) => Math.round(median(loads.service.map((each) => each.cpu[part])));
    const ratio = rate("service") / rate("bare");
    const target = rateTarget(one.name, one.kind);
    bench.add({
      figure: one.kind === "page" ? one.name : `throughput: ${one.name}`,
      measured: `${rate("service")}/s of ${rate("bare")}/s = ${Math.round(ratio * 100)} %; ${cpu("service")} + ${cpu("database")} µs`,
      target: `≥ ${Math.round(target * 100)} %`,
      isMet: ratio >= target,
    });
  }
}

/** Answers a second, and processor time for each. */
export type Load = { rate: number; cpu: Cpu };

type LoadOptions = {
  seconds: number;
  /** How many requests are sent, whatever time they take. */
  calls?: number | undefined;
  /** How long work that the requests have caused may go on; it counts as theirs. */
  settleMs?: number;
};

export async function measureLoad(
  server: Running,
  data: DataSet,
  request: (index: number) => Request,
  { seconds, calls, settleMs = 0 }: LoadOptions,
): Promise<Load> {
  const each = calls ? calls / CONNECTIONS : REQUESTS_PER_CONNECTION;
  const cpuSince = await startCpuMeter(server, data);
  const began = performance.now();
  const answers = await load(server.url, {
    connections: CONNECTIONS,
    // No two connections meet at the same row.
    requests: (connection) => Array.from({ length: each }, (_, index) => request(connection * each + index)),
    ...(!calls && { end: delay(seconds * 1000) }),
  });
  const rate = answers / ((performance.now() - began) / 1000);
  await delay(settleMs);
  const cpu = await cpuSince();
  return { rate, cpu: { service: cpu.service / answers, database: cpu.database / answers } };
}
