import { execFile, spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { TestAgent } from "#lib/testing/factories.ts";
import type { Fulfilled } from "../requester/order.ts";
import type { Event } from "./journal.ts";

/** What tests of the provider need: a folder, lost calls, somebody who puts up again what falls, and a customer. */

const PROVIDER = join(import.meta.dirname, "../provider.ts");
const REQUESTER = join(import.meta.dirname, "../requester.ts");
const folder = mkdtempSync(join(tmpdir(), "guildhall-provider-"));
const stops: (() => unknown)[] = [];

/** Run by `closeTrial`, latest first. */
export function atEnd(stop: () => unknown): void {
  stops.push(stop);
}

export async function closeTrial(): Promise<void> {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Listens on this port, or a free one. @returns the origin */
export async function listen(server: Server, at = 0): Promise<string> {
  await new Promise<void>((done) => server.listen(at, "127.0.0.1", done));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export type Fault = { path: string; when: "before" | "after" };
/** A call that reached the service, and what it said. */
export type Passed = { path: string; status: number };

/**
 * Stands between provider and service. At each planned fault, in their order, it lets the call get lost (`before`) or its
 * answer (`after`), and `strike` decides what becomes of the provider.
 */
export async function openRelay(serviceUrl: string, faults: Fault[], strike: (fault: Fault) => void) {
  const passed: Passed[] = [];
  const relay = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = new URL(request.url ?? "/", serviceUrl).pathname.replace("/api/v1/", "");
    const isPlanned = faults[0]?.path === path;
    const fault = isPlanned ? faults.shift() : undefined;
    if (fault?.when !== "before") {
      const { authorization = "", "content-type": type = "" } = request.headers;
      const answer = await fetch(new URL(request.url ?? "/", serviceUrl), {
        method: request.method,
        headers: { authorization, "content-type": type },
        body: request.method === "POST" ? Buffer.concat(chunks) : undefined,
      });
      passed.push({ path, status: answer.status });
      if (!fault) {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(await answer.text());
        return;
      }
    }
    strike(fault);
    request.socket.destroy();
  });
  return { url: await listen(relay), passed, faults };
}

/** Starts a provider in a process of its own, with state and journal under a name. */
export function hire(agent: TestAgent, url: string, name: string, variables: Record<string, string> = {}) {
  const journalFile = join(folder, `${name}.jsonl`);
  const child = spawn(process.execPath, [PROVIDER], {
    env: {
      ...process.env,
      GUILDHALL_URL: url,
      PUBLIC_ID: agent.publicId,
      MANAGEMENT_TOKEN: agent.token,
      STATE_FILE: join(folder, `${name}.json`),
      ...variables,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.on("data", (chunk: Buffer) => appendFileSync(journalFile, chunk));
  const journal = () =>
    readFileSync(journalFile, { encoding: "utf8", flag: "a+" })
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Event);
  return { child, journal };
}

/** A provider that is restarted when it ends, as a service manager would do. The journal covers all runs. */
export function employ(agent: TestAgent, url: string, name: string, variables?: Record<string, string>) {
  let isWanted = true;
  let runs = 0;
  const start = (): ReturnType<typeof hire> => {
    runs += 1;
    const hired = hire(agent, url, name, variables);
    hired.child.once("exit", () => {
      if (isWanted) worker = start();
    });
    return hired;
  };
  let worker = start();
  const end = async (signal: NodeJS.Signals) => {
    isWanted = false;
    const { child } = worker;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once("close", done));
    child.kill(signal);
    await ended;
  };
  atEnd(() => end("SIGKILL"));
  return {
    journal: () => worker.journal(),
    count: (event: Event["event"]) => worker.journal().filter((entry) => entry.event === event).length,
    runs: () => runs,
    kill: () => worker.child.kill("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}

/** The requester's program, run as its operator would, on the text of a file. */
export async function runRequester(
  requester: TestAgent,
  provider: TestAgent,
  url: string,
  textFile: string,
): Promise<Fulfilled> {
  const variables = {
    GUILDHALL_URL: url,
    PUBLIC_ID: requester.publicId,
    MANAGEMENT_TOKEN: requester.token,
    PROVIDERS: provider.publicId,
  };
  const options = { env: { ...process.env, ...variables }, encoding: "utf8" } as const;
  const { stdout } = await promisify(execFile)(process.execPath, [REQUESTER, textFile], options);
  return JSON.parse(stdout.slice(stdout.indexOf("\n{"))) as Fulfilled;
}

/** What `look` finds, within a minute. */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | undefined> | Found | undefined,
): Promise<Found> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const found = await look();
    if (found) return found;
    await delay(100);
  }
  throw new Error(`waited in vain: ${what}`);
}
