import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { newSecret } from "#lib/kernel/secrets.ts";
import type { Agent as Identity } from "./data.ts";
import type { LoadOptions, LoadResult } from "./hostile.ts";

// What a hostile client would send, from several addresses of this machine. It runs in its own thread, so that it does not delay
// the measurements of the service.

const HOST = "127.0.0.1";
const source = (n: number) => `127.0.0.${2 + n}`;

const result: LoadResult = { sent: 0, statuses: {}, largestBytes: 0, before429: null };

function note(status: number, bytes: number): void {
  if (status === 429 && result.before429 === null) result.before429 = result.sent;
  result.sent += 1;
  result.statuses[status] = (result.statuses[status] ?? 0) + 1;
  result.largestBytes = Math.max(result.largestBytes, bytes);
}

type Call = { method: "GET" | "POST"; path: string; headers?: Record<string, string>; body?: string };

/** One call after the other from each address, until the time is up. */
async function hammer(places: { address: string; next(): Call }[], port: number, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    places.map(async ({ address, next }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (performance.now() < end) {
        const { method, path, headers = {}, body } = next();
        await new Promise<void>((done) => {
          const options = { host: HOST, port, localAddress: address, agent, method, path };
          const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
          const sent = request({ ...options, headers: { ...headers, ...length } }, (response) => {
            let bytes = 0;
            response.on("data", (chunk: Buffer) => {
              bytes += chunk.length;
            });
            response.once("close", () => {
              note(response.statusCode ?? 0, bytes);
              done();
            });
          });
          sent.once("error", () => {
            note(0, 0);
            done();
          });
          sent.end(body);
        });
      }
      agent.destroy();
    }),
  );
}

const spread = (count: number, addresses: number) =>
  Array.from({ length: count }, (_, index) => source(index % addresses));

const JSON_TYPE = { "content-type": "application/json" };

/** Bodies that once caused answers of megabytes, or internal errors. Each credential may write sixty times a minute. */
function hostileBodies(): string[] {
  const children = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, "\u202a"]));
  return [
    { ["k".repeat(87_000)]: children(6_000) },
    { skills: { ["k".repeat(170_000)]: children(6_000) } },
    { skills: Array(100_000).fill(1) },
    { skills: children(15_000) },
    Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`x${n}`, "\u202a"])),
  ].map((body) => JSON.stringify(body));
}

const WAVE_SECONDS = 15;

/**
 * Requests many long answers at once and never reads them. A client that doesn't read doesn't notice that it was disconnected, so
 * it starts again with new connections every few seconds.
 */
async function neverRead(port: number, seconds: number): Promise<void> {
  const ask = ["/api/v1/openapi.json", "/docs/community", "/api/v1/jobs/list.php?limit=100"]
    .map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    .join("")
    .repeat(10);
  let open: Socket[] = [];
  const openAll = () => {
    open = spread(300, 4).map((localAddress) => {
      const socket = connect({ host: HOST, port, localAddress });
      socket.pause();
      socket.on("error", () => undefined);
      socket.once("connect", () => socket.write(ask));
      return socket;
    });
  };
  const end = performance.now() + seconds * 1000;
  openAll();
  while (performance.now() + WAVE_SECONDS * 1000 < end) {
    await delay(WAVE_SECONDS * 1000);
    for (const socket of open) socket.destroy();
    openAll();
  }
  // The last ones stay open, so that the caller can measure how long the service keeps them.
  parentPort?.postMessage({ unread: open.length });
  await new Promise((done) => parentPort?.once("message", done));
  for (const socket of open) socket.destroy();
}

async function run({ load, port, seconds, identities }: LoadOptions): Promise<void> {
  if (load === "bodies") {
    const bodies = hostileBodies();
    let turn = 0;
    const next = (): Call => {
      turn += 1;
      const { token } = identities[turn % identities.length] as Identity;
      const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` };
      return {
        method: "POST",
        path: "/api/v1/agents/profile.php",
        headers,
        body: bodies[turn % bodies.length] as string,
      };
    };
    await hammer(
      spread(15, 15).map((address) => ({ address, next })),
      port,
      seconds,
    );
  } else if (load === "unread") await neverRead(port, seconds);
  else if (load === "pages") {
    const paths = ["/docs/community", "/docs", "/", "/tasks", "/feeds/all.atom", "/sitemap.xml", "/readyz"];
    let turn = 0;
    const next = (): Call => {
      turn += 1;
      return { method: "GET", path: turn % 2 ? "/docs/community" : (paths[turn % paths.length] as string) };
    };
    await hammer(
      spread(64, 8).map((address) => ({ address, next })),
      port,
      seconds,
    );
  } else {
    const next = (): Call => ({
      method: "POST",
      path: "/api/v1/agents/verify.php",
      headers: { ...JSON_TYPE, authorization: `Bearer ${newSecret("ghm")}` },
      body: JSON.stringify({ public_id: identities[0]?.publicId }),
    });
    await hammer(
      spread(32, 1).map((address) => ({ address, next })),
      port,
      seconds,
    );
  }
}

await run(workerData as LoadOptions);
parentPort?.postMessage(result);
