import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { ApiError } from "#lib/kernel/errors.ts";
import { refuse } from "../front/refusal.ts";
import type { Pages } from "./pages.ts";
import { serveStatic } from "./static-files.ts";

/** How long a request waits for a process that is starting. */
const START_SECONDS = 30;
/** Between two starts of a process that keeps ending. */
const RESTART_SECONDS = 1;
const STOP_SECONDS = 5;
/** Under load, pages were rendered within 192 as well. */
const HEAP_MIB = 512;

/** About one connection each (RFC 9110, 7.6.1). */
const OF_CONNECTION = [
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"],
  ...["te", "trailer", "transfer-encoding", "upgrade"],
];

const OF_BODY = ["content-length", "content-type", "expect"];

type Running = { child: ChildProcess; ready: Promise<void> };

/**
 * The built pages in `dir`, rendered by a process of their own, so that rendering never delays the API. If that process ends, another
 * takes its place; requests wait for it, or get 503.
 */
export async function startPageProcess(options: {
  dir: string;
  knowsLocalDomains: boolean;
  log: (line: string) => void;
}): Promise<Pages> {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-"));
  const socket =
    process.platform === "win32" ? `\\\\.\\pipe\\guildhall-pages-${process.pid}` : join(folder, "pages.sock");
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 8 });
  let closing = false;
  let running = start();

  function start(): Running {
    rmSync(socket, { force: true });
    const args = [socket, ...(options.knowsLocalDomains ? ["--local"] : [])];
    const child = fork(join(import.meta.dirname, "page-program.ts"), args, {
      cwd: options.dir,
      execArgv: flagsOfPages(process.execArgv, process.env.NODE_OPTIONS, getHeapStatistics().heap_size_limit),
    });
    const ready = new Promise<void>((done, fail) => {
      child.once("message", () => done());
      child.once("error", fail);
      child.once("exit", (code, signal) => fail(new Error(`The process for pages ended with ${signal ?? code}.`)));
    });
    ready.catch(() => undefined);
    child.once("exit", (code, signal) => {
      if (closing) return;
      options.log(`The process for pages ended with ${signal ?? code}. Another one is started.`);
      const next = delay(RESTART_SECONDS * 1000).then(() => {
        if (closing) return;
        running = start();
        return running.ready;
      });
      next.catch(() => undefined);
      running = { child, ready: next };
    });
    return { child, ready };
  }

  const forward: RequestListener = (incoming, response) => {
    void withinSeconds(START_SECONDS, running.ready).then(
      () => pass(incoming, response, { socketPath: socket, agent }),
      () => unavailable(incoming, response),
    );
  };

  try {
    await running.ready;
  } catch (error) {
    closing = true;
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    listener: serveStatic(options.dir, forward),
    attach: () => undefined,
    detach: () => undefined,
    async close() {
      closing = true;
      const { child } = running;
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise<void>((done) => child.once("exit", () => done()));
        child.disconnect();
        await Promise.race([ended, delay(STOP_SECONDS * 1000, undefined, { ref: false })]);
        child.kill("SIGKILL");
      }
      agent.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Node's flags for the process: those of this one, and a bound on its heap. Without one, garbage would pile up as long as the machine has
 * memory. A bound that the operator sets stays, and on a small machine Node's own is lower.
 * @param heapLimit of this process, in bytes
 */
export function flagsOfPages(flags: readonly string[], nodeOptions: string | undefined, heapLimit: number): string[] {
  if ([...flags, nodeOptions ?? ""].some((each) => /max[-_]old[-_]space/.test(each))) return [...flags];
  return [...flags, `--max-old-space-size=${Math.min(HEAP_MIB, Math.floor(heapLimit / 2 ** 20))}`];
}

function withinSeconds(seconds: number, work: Promise<void>): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error("not ready")), seconds * 1000);
    work.then(done, fail).finally(() => clearTimeout(timer));
  });
}

function unavailable(incoming: IncomingMessage, response: ServerResponse): void {
  const error = new ApiError("temporarily_unavailable", "The service is busy. Try again in a moment.", {
    retryAfterSeconds: RESTART_SECONDS * 5,
  });
  refuse(incoming, response, error, { asData: false });
}

/** Sends a request on, and its answer back. */
export function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  target: { socketPath: string; agent: Agent },
): void {
  if (response.destroyed) return;
  const { method, url: path } = incoming;
  // No page reads the body of a GET or HEAD: waiting for it would let a client that never sends it hold a render's place.
  const hasBody = method !== "GET" && method !== "HEAD";
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).filter(
      ([name]) => !OF_CONNECTION.includes(name) && (hasBody || !OF_BODY.includes(name)),
    ),
  );
  // The socket of the other process has no address, so it is added here, as every proxy does.
  const hops = [headers["x-forwarded-for"], incoming.socket.remoteAddress].filter(Boolean).join(", ");
  const outgoing = request({ ...target, method, path, headers: { ...headers, "x-forwarded-for": hops } });
  let phase: "asked" | "answering" | "done" = "asked";
  outgoing.once("response", (answer) => {
    phase = "answering";
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined && !OF_CONNECTION.includes(name)) response.setHeader(name, value);
    response.writeHead(answer.statusCode ?? 502);
    // It is read at once, however slow the visitor is: what waits to be read waits here, where front/connections.ts bounds it.
    answer.on("data", (chunk) => response.write(chunk));
    answer.once("end", () => {
      phase = "done";
      response.end();
    });
    answer.once("error", () => response.destroy());
  });
  outgoing.once("error", () => {
    if (phase === "asked" && !response.destroyed) unavailable(incoming, response);
    else response.destroy();
  });
  // The client has gone, or was told that the page takes too long.
  response.once("close", () => {
    if (phase === "done") return;
    phase = "done";
    outgoing.destroy();
  });
  if (hasBody) incoming.pipe(outgoing);
  else {
    outgoing.end();
    incoming.resume();
  }
}
