import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { newSecret } from "#lib/kernel/secrets.ts";
import { pick } from "./cases.ts";
import { openCaller, post, type Request } from "./client.ts";
import type { LoadOptions, LoadResult, StillOpen } from "./hostile.ts";

// What a hostile client sends, from several addresses of this machine.

const { load, url, seconds, identities } = workerData as LoadOptions;
const end = performance.now() + seconds * 1000;
const address = (n: number) => `127.0.0.${2 + n}`;
const result: LoadResult = { sent: 0, statuses: {}, largestBytes: 0 };

/** Requests without pause over some connections from each address. */
async function hammer(addresses: number, connections: number, next: (turn: number) => Request): Promise<void> {
  let turn = 0;
  await Promise.all(
    Array.from({ length: addresses * connections }, async (_, index) => {
      const caller = openCaller(url, 1, [address(index % addresses)]);
      while (performance.now() < end) {
        turn += 1;
        const { status, body } = await caller.send(next(turn));
        if (status === 429) result.before429 ??= result.sent;
        result.sent += 1;
        result.statuses[status] = (result.statuses[status] ?? 0) + 1;
        result.largestBytes = Math.max(result.largestBytes, body.length);
      }
      caller.close();
    }),
  );
}

/** Bodies that once caused answers of megabytes, or internal errors. */
function hostileBodies(): object[] {
  const children = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, "\u202a"]));
  return [
    { ["k".repeat(87_000)]: children(6_000) },
    { skills: { ["k".repeat(170_000)]: children(6_000) } },
    { skills: Array(100_000).fill(1) },
    { skills: children(15_000) },
    children(15_000),
  ];
}

const WAVE_SECONDS = 15;

/**
 * Requests many long answers at once and never reads them. A client that does not read does not notice that it was disconnected, so it
 * starts again with new connections every few seconds.
 */
async function neverRead(): Promise<void> {
  const { hostname, port } = new URL(url);
  const requests = ["/api/v1/openapi.json", "/docs/community", "/api/v1/jobs/list.php?limit=100"]
    .map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    .join("")
    .repeat(10);
  let open: Socket[] = [];
  const openAll = () => {
    open = Array.from({ length: 300 }, (_, index) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: address(index % 4) });
      socket.pause();
      socket.on("error", () => undefined);
      socket.once("connect", () => socket.write(requests));
      return socket;
    });
  };
  openAll();
  while (performance.now() + WAVE_SECONDS * 1000 < end) {
    await delay(WAVE_SECONDS * 1000);
    for (const socket of open) socket.destroy();
    openAll();
  }
  // The last ones stay open, so that it can be measured how long the service keeps them. First, all of them connect.
  await delay(1_000);
  const answered = new Promise((done) => parentPort?.once("message", done));
  parentPort?.postMessage({ stillOpen: open.length } satisfies StillOpen);
  await answered;
  for (const socket of open) socket.destroy();
}

const PAGES = ["/docs/community", "/docs", "/", "/tasks", "/feeds/all.atom", "/sitemap.xml", "/readyz"];

const RUN: Record<LoadOptions["load"], () => Promise<void>> = {
  bodies() {
    const bodies = hostileBodies().map((body) => JSON.stringify(body));
    const profile = (turn: number) => post("/api/v1/agents/profile.php", {}, pick(identities, turn).token);
    return hammer(15, 1, (turn) => ({ ...profile(turn), body: pick(bodies, turn) }));
  },
  unread: neverRead,
  pages: () => hammer(8, 8, (turn) => ({ path: turn % 2 ? "/docs/community" : pick(PAGES, turn) })),
  tokens: () =>
    hammer(1, 32, () =>
      post("/api/v1/agents/verify.php", { public_id: pick(identities, 0).publicId }, newSecret("ghm")),
    ),
};

await RUN[load]();
parentPort?.postMessage(result);
