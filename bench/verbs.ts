import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import { crc32 } from "node:zlib";
import pg from "pg";
import { digestSecret } from "#lib/kernel/secrets.ts";
import type { Agent as BenchAgent, DataSet } from "./data.ts";
import { cpuSeconds, type Running } from "./processes.ts";
import { latencies, median, round } from "./statistics.ts";
import { backendPids, type ThroughputRow } from "./throughput.ts";

// Verbs that use up what they work on, such as open tasks: a number of calls instead of a time.

const CALLS = 1_500;
const CONNECTIONS = 32;

export type Call = { path: string; token?: string; body: object };
/** Makes what a round uses up. @returns the call of each index, for the service and for the bare server */
type Verb = { name: string; prepare(): Promise<Record<Side, (index: number) => Call>> };
type Side = "bare" | "service";

/** What a claim of a task and an answer to a post cost, beside a bare server that writes the same rows in one statement. */
export async function measureVerbs(
  data: DataSet,
  service: Running,
  bare: Running,
  rounds: number,
  log: (line: string) => void,
): Promise<ThroughputRow[]> {
  const ground = await openGround(data);
  const rows: ThroughputRow[] = [];
  for (const verb of [claim(service, ground), answer(ground)]) {
    const rates: Record<Side, number[]> = { bare: [], service: [] };
    const cpu: Record<Side, number[]> = { bare: [], service: [] };
    const times: number[] = [];
    // The first round warms up.
    for (let turn = 0; turn <= rounds; turn += 1) {
      const calls = await verb.prepare();
      for (const [side, running] of [
        ["bare", bare],
        ["service", service],
      ] as const) {
        const pids = [running.pid, ...(await backendPids(data.url))];
        const before = cpuSeconds(pids);
        const began = performance.now();
        const taken = await fire(running.url, calls[side]);
        const seconds = (performance.now() - began) / 1000;
        const after = cpuSeconds(pids);
        if (turn === 0) continue;
        rates[side].push(Math.round(CALLS / seconds));
        if (before !== undefined && after !== undefined) cpu[side].push(((after - before) / CALLS) * 1e6);
        if (side === "service") times.push(...taken);
      }
    }
    const { p50, p99 } = latencies(times);
    const row: ThroughputRow = {
      endpoint: verb.name,
      kind: "write",
      bare: median(rates.bare),
      service: median(rates.service),
      ratio: round(median(rates.service) / median(rates.bare)),
      rounds: rates,
      serviceLatencyMs: { p50, p99 },
    };
    if (cpu.bare.length > 0)
      row.cpuMicroseconds = { bare: Math.round(median(cpu.bare)), service: Math.round(median(cpu.service)) };
    log(
      `  ${row.endpoint}: ${row.service}/s of ${row.bare}/s = ${Math.round(row.ratio * 100)} %; CPU ${JSON.stringify(row.cpuMicroseconds)}`,
    );
    rows.push(row);
  }
  return rows;
}

function claim({ url }: Running, ground: Ground): Verb {
  return {
    name: "claim task",
    async prepare() {
      const made: string[] = [];
      await fire(url, createTask(ground), 2 * CALLS, (answer, index) => {
        made[index] = (answer as { task: { task_id: string } }).task.task_id;
      });
      const claims = claimTask(ground, made);
      return { service: claims, bare: (index) => ({ path: "/claim", body: claims(CALLS + index).body }) };
    },
  };
}

function answer(ground: Ground): Verb {
  const { members, openings } = ground;
  return {
    name: "answer a post",
    async prepare() {
      return {
        service: answerPost(ground),
        bare: (index) => ({
          path: "/post",
          body: {
            reply_to: openings[index % openings.length],
            author: members[index % members.length]?.id,
            body: ANSWER,
          },
        }),
      };
    },
  };
}

// The calls of each index to the service.

const at = ({ agents }: Ground, index: number) => agents[index % agents.length] ?? { publicId: "", token: "" };

export function createTask(ground: Ground): (index: number) => Call {
  return (index) => {
    const { publicId, token } = at(ground, index);
    const body = { public_id: publicId, brief: "Count the words.", budget_pence: 0, client_request_id: newKey() };
    return { path: "/api/v1/jobs/create.php", token, body };
  };
}

/** The task of that index, by the agent after the one who posted it. */
export function claimTask(ground: Ground, taskIds: readonly string[]): (index: number) => Call {
  return (index) => {
    const { publicId, token } = at(ground, index + 1);
    return { path: "/api/v1/jobs/claim.php", token, body: { public_id: publicId, task_id: taskIds[index] } };
  };
}

const ANSWER = "I agree with most of this. The second point needs a closer look before anyone builds on it.";

export function answerPost({ members, openings }: Ground): (index: number) => Call {
  return (index) => ({
    path: "/api/v1/community/",
    token: members[index % members.length]?.key ?? "",
    body: {
      action: "post",
      reply_to: openings[index % openings.length],
      body: ANSWER,
      client_request_id: newKey(),
    },
  });
}

let keys = 0;
const newKey = () => `verbs-${process.pid}-${Date.now()}-${keys++}`;

type Member = { id: string; key: string };

export type Ground = { agents: BenchAgent[]; members: Member[]; openings: string[] };

/** Verified agents, authors with community keys that we know, and posts to answer. */
export async function openGround({ url, providers, community }: DataSet): Promise<Ground> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ids = async (sql: string, values: unknown[] = []) =>
    (await client.query<{ id: string }>(sql, values)).rows.map(({ id }) => id);
  const verified = new Set(
    await ids(
      "SELECT id FROM identities WHERE id = ANY ($1) AND state = 'active' AND domain_status = 'verified' AND held_at IS NULL",
      [providers.map(({ publicId }) => publicId)],
    ),
  );
  const authors = await ids(
    `SELECT p.id FROM profiles p LEFT JOIN identities i ON i.id = p.id
     WHERE p.id = ANY ($1) AND p.claimed_at IS NOT NULL AND num_nonnulls(p.suspended_at, p.held_at, p.frozen_at, i.held_at) = 0
       AND coalesce(i.state = 'active', true)`,
    [community.authors],
  );
  const members = authors.map((id) => ({ id, key: keyOf(id) }));
  for (const { id, key } of members)
    await client.query("UPDATE profiles SET key_digest = $2, key_created_at = now() WHERE id = $1", [
      id,
      digestSecret(key),
    ]);
  const openings = await ids(
    "SELECT id FROM posts WHERE reply_to IS NULL AND withdrawn_at IS NULL ORDER BY seq DESC LIMIT 500",
  );
  await client.end();
  return { agents: providers.filter(({ publicId }) => verified.has(publicId)), members, openings };
}

function keyOf(id: string): string {
  const bytes = createHash("sha256").update(`guildhall bench key of ${id}`).digest().subarray(0, 28);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(bytes));
  return `ghc_${Buffer.concat([bytes, check]).toString("base64url")}`;
}

/** Sends calls over some connections. @returns how long each took, in milliseconds */
export async function fire(
  url: string,
  call: (index: number) => Call,
  calls = CALLS,
  seen: (answer: unknown, index: number) => void = () => undefined,
): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  // Connections that are kept from one round to the next may have been closed meanwhile.
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const work = async () => {
    for (let index = next++; index < calls; index = next++) {
      const began = performance.now();
      seen(await send(agent, url, call(index)), index);
      times.push(performance.now() - began);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
  } finally {
    agent.destroy();
  }
  return times;
}

function send(agent: Agent, url: string, { path, token, body }: Call): Promise<unknown> {
  const text = JSON.stringify(body);
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return new Promise((done, fail) => {
    const sent = request(url + path, { agent, method: "POST", headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => {
        const answer = Buffer.concat(parts).toString();
        if ((response.statusCode ?? 500) < 300) done(JSON.parse(answer));
        else fail(new Error(`${path} answered ${response.statusCode}: ${answer.slice(0, 300)}`));
      });
    });
    sent.on("error", fail).end(text);
  });
}
