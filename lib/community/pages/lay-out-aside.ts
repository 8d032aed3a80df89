import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type LayoutTask, layOut, type Position } from "./network-layout.ts";

/** Lays a graph out in a thread of its own; where the source of that thread is not at hand, in this one. */
export function layOutAside(task: LayoutTask): Promise<Position[]> {
  // Not a part of the bundle: Node runs it from its source.
  const source = join(/* turbopackIgnore: true */ process.cwd(), "lib/community/pages/network-layout-worker.ts");
  if (!existsSync(source)) return Promise.resolve(layOut(task));
  return new Promise((done, fail) => {
    const worker = new Worker(/* turbopackIgnore: true */ source, { workerData: task });
    worker.unref();
    worker.once("message", done);
    worker.once("error", fail);
    worker.once("exit", (code) => fail(new Error(`The layout ended with code ${code}.`)));
  });
}
