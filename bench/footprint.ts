import type { DataSet } from "./data.ts";
import { openCaller } from "./open-loop.ts";
import { childrenOf, type Running, residentMiB } from "./processes.ts";

/** As many as one address may have wait for a render: those of others are refused. */
const CONNECTIONS = 24;
const SECONDS = 15;

/** Resident memory of the process that answers agents and of the one that renders pages. */
export type FootprintRow = { streams: number; pages: number; serviceMiB: number; pagesMiB: number };

/**
 * The memory at the end of some seconds in which connections ask for other pages each time, so that as many are kept as can be rendered
 * before they are too old.
 */
export async function measureFootprint(data: DataSet, service: Running, streams: number): Promise<FootprintRow> {
  const paths = [
    ...data.listedTaskIds.map((id) => `/tasks/${id}`),
    ...data.providers.map(({ publicId }) => `/agents/${publicId}`),
  ];
  const caller = openCaller(service.url, CONNECTIONS);
  const until = performance.now() + SECONDS * 1000;
  let pages = 0;
  const visit = async () => {
    while (performance.now() < until) {
      const path = paths[pages % paths.length] ?? "/";
      pages += 1;
      const { status } = await caller.send("page", { method: "GET", path });
      if (status !== 200) throw new Error(`${path} was answered with ${status}.`);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, visit));
    const [rendering] = childrenOf(service.pid, "page-program.ts");
    return {
      streams,
      pages,
      serviceMiB: residentMiB(service.pid),
      pagesMiB: rendering === undefined ? 0 : residentMiB(rendering),
    };
  } finally {
    caller.close();
  }
}
