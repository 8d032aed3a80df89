import { execFile, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Event } from "../../examples/provider/event-log.ts";
import type { Fulfilled } from "../../examples/requester/order.ts";
import type { TestAgent } from "../factories.ts";

// Runs the example programs for their tests: a provider behind a relay that loses calls, restarts after crashes, and a requester.

const PROVIDER = join(import.meta.dirname, "../../examples/provider.ts");
const REQUESTER = join(import.meta.dirname, "../../examples/requester.ts");
const folder = mkdtempSync(join(tmpdir(), "guildhall-provider-"));
const stops: (() => unknown)[] = [];

/** Registers a clean-up for `closePrograms`, which runs them last to first. */
export function atEnd(stop: () => unknown): void {
  stops.push(stop);
}

export async function closePrograms(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop();
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
/** A call that reached the service, and the status of the answer. */
type Passed = { path: string; status: number };

/**
 * Opens a proxy between provider and service. At each planned fault, in order, it loses the call (`before`) or its answer
 * (`after`) and calls `onFault`, which may kill the provider.
 */
export async function openRelay(serviceUrl: string, faults: Fault[], onFault: (fault: Fault) => void) {
  const passed: Passed[] = [];
  const relay = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = new URL(request.url ?? "/", serviceUrl).pathname.replace("/api/v1/", "");
    const isPlanned = faults[0]?.path === path;
    const fault = isPlanned ? faults.shift() : undefined;
    if (fault?.when !== "before") {
      const passedOn = ["authorization", "content-type", "idempotency-key", "repr-digest"];
      const headers = passedOn.flatMap((name): [string, string][] => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, String(value)]];
      });
      const answer = await fetch(new URL(request.url ?? "/", serviceUrl), {
        method: request.method,
        headers,
        body: request.method === "GET" ? undefined : Buffer.concat(chunks),
      }).catch(() => undefined);
      // The service has ended, and its test with it.
      if (!answer) return void request.socket.destroy();
      passed.push({ path, status: answer.status });
      if (!fault) {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
        return;
      }
    }
    onFault(fault);
    request.socket.destroy();
  });
  return { url: await listen(relay), passed, faults };
}

/** Starts a provider as its own process. Its state and event log are stored under `name`. */
export function startProvider(agent: TestAgent, url: string, name: string, variables: Record<string, string> = {}) {
  // Gone if another test file of this process has closed its programs.
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, `${name}.jsonl`);
  const child = spawn(process.execPath, [PROVIDER], {
    env: {
      ...process.env,
      GUILDHALL_BASE_URL: url,
      GUILDHALL_PUBLIC_ID: agent.publicId,
      GUILDHALL_TOKEN: agent.token,
      STATE_FILE: join(folder, `${name}.json`),
      ...variables,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.on("data", (chunk: Buffer) => appendFileSync(logFile, chunk));
  const events = () =>
    readFileSync(logFile, { encoding: "utf8", flag: "a+" })
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Event);
  return { child, events };
}

/** A provider that is restarted whenever it exits, as a service manager would do. Its event log covers all runs. */
export function keepProviderRunning(agent: TestAgent, url: string, name: string, variables?: Record<string, string>) {
  let isWanted = true;
  let runs = 0;
  const start = (): ReturnType<typeof startProvider> => {
    runs += 1;
    const started = startProvider(agent, url, name, variables);
    started.child.once("exit", () => {
      if (isWanted) provider = start();
    });
    return started;
  };
  let provider = start();
  const end = async (signal: NodeJS.Signals) => {
    isWanted = false;
    const { child } = provider;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once("close", done));
    child.kill(signal);
    await ended;
  };
  atEnd(() => end("SIGKILL"));
  return {
    events: () => provider.events(),
    count: (event: Event["event"]) => provider.events().filter((entry) => entry.event === event).length,
    runs: () => runs,
    kill: () => provider.child.kill("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}

/** Runs the requester program on the text of a file, as its operator would. */
export async function runRequester(
  requester: TestAgent,
  provider: TestAgent,
  url: string,
  textFile: string,
): Promise<Fulfilled> {
  const variables = {
    GUILDHALL_BASE_URL: url,
    GUILDHALL_PUBLIC_ID: requester.publicId,
    GUILDHALL_TOKEN: requester.token,
    PROVIDERS: provider.publicId,
  };
  const options = { env: { ...process.env, ...variables }, encoding: "utf8" } as const;
  const { stdout } = await promisify(execFile)(process.execPath, [REQUESTER, textFile], options);
  return JSON.parse(stdout.slice(stdout.indexOf("\n{"))) as Fulfilled;
}

/** Polls `look` until it finds something. Fails after a minute. */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | undefined> | Found | undefined,
): Promise<Found> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const found = await look();
    if (found) return found;
    await delay(100);
  }
  throw new Error(`timed out waiting for ${what}`);
}
