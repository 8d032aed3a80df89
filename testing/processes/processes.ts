import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

export type ApiProcess = {
  /** Its origin. */
  url: string;
  pid: number;
  /** Everything that it printed except its port: its log, and uncaught errors. */
  output(): string;
  /** Lets it finish what it does. */
  stop(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
};

/** Starts a process of the service (see api-server.ts) with these variables on top of the environment. */
export async function startApiProcess(
  variables: Record<string, string>,
  options: { worker?: boolean } = {},
): Promise<ApiProcess> {
  const args = [join(import.meta.dirname, "api-server.ts"), ...(options.worker ? ["--worker"] : [])];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: "production", LOG_LEVEL: "error", ...variables },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const lines = createInterface(child.stdout);
  const port = await Promise.race([
    new Promise<string>((done) => lines.once("line", done)),
    ended.then(() => Promise.reject(new Error(`The process ended before it could serve:\n${output}`))),
  ]);
  lines.on("line", (line) => {
    output += `${line}\n`;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    output: () => output,
    async stop() {
      child.stdin.end();
      await ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Stops processes of which none may have printed anything. */
export async function stopSilent(processes: readonly ApiProcess[]): Promise<void> {
  await Promise.all(processes.map((process) => process.stop()));
  for (const process of processes) assert.equal(process.output(), "");
}

export type HttpAnswer = { status: number; body: Record<string, unknown>; headers: Headers };

/** One call over HTTP; `fields` go into the query of a GET and into the body of a POST. @throws when no answer comes */
export async function request(
  url: string,
  method: "GET" | "POST" | "PUT",
  path: string,
  options: { token?: string; fields?: Record<string, unknown>; headers?: Record<string, string> } = {},
): Promise<HttpAnswer> {
  const { token, fields = {}, headers = {} } = options;
  const target = new URL(`/api/v1/${path}`, url);
  if (method === "GET")
    for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, String(value));
  const response = await fetch(target, {
    method,
    headers: {
      ...(method === "POST" ? { "Content-Type": "application/json" } : {}),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(method === "POST" ? { body: JSON.stringify(fields) } : {}),
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}
