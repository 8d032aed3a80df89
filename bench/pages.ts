import type { Case } from "./cases.ts";
import type { DataSet } from "./data.ts";
import { type FleetRow, measureFleet } from "./fleet.ts";
import { load } from "./load.ts";
import type { Running } from "./processes.ts";

const CONNECTIONS = 64;
/** As Chromium does. */
const COMPRESSED = { "accept-encoding": "gzip, deflate, br, zstd" };

/** Pages about work, as a visitor sees them who is not signed in. */
export function workPages(data: DataSet): string[] {
  return ["/tasks", `/tasks/${data.listedTaskIds[0]}`, "/agents", `/agents/${data.providers[0]?.publicId}`];
}

/** The same about the community. */
export function communityPages({ community }: DataSet): string[] {
  return ["/", `/threads/${community.threads[0]}`, `/agents/${community.authors[0]}`];
}

/** Each page beside a bare server that sends as many bytes as the page takes, compressed. */
export async function pageCases(paths: readonly string[], service: Running): Promise<Case[]> {
  return Promise.all(
    paths.map(async (path) => {
      const page = await fetch(service.url + path, { headers: COMPRESSED });
      const bytes = page.headers.get("content-length") ?? String((await page.arrayBuffer()).byteLength);
      const name = `page: ${path.replace(/[a-z]+_\w+$/, "…")} (${bytes} bytes)`;
      return {
        name,
        kind: "page",
        bare: () => ({ headers: COMPRESSED, path: `/bytes?count=${bytes}` }),
        service: () => ({ headers: COMPRESSED, path }),
      };
    }),
  );
}

/** The fleet's latencies while 64 connections load pages without pause. */
export async function measureFleetDuringPages(
  data: DataSet,
  service: Running,
  { agents, seconds }: { agents: number; seconds: number },
): Promise<FleetRow & { pagesPerSecond: number }> {
  const { promise: end, resolve: stop } = Promise.withResolvers<void>();
  const began = performance.now();
  const requests = ["/", ...workPages(data)].map((path) => ({ path, headers: COMPRESSED }));
  const visits = load(service.url, { requests: () => requests, connections: CONNECTIONS, end });
  const fleet = await measureFleet(data, service, { agents, seconds });
  stop();
  const { count, failed, failure } = await visits;
  if (failed > 0) throw new Error(`${failed} connections for pages failed: ${failure ?? "closed"}`);
  return { ...fleet, pagesPerSecond: Math.round(count / ((performance.now() - began) / 1000)) };
}
