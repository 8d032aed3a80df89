import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { childrenOf, type Running } from "./processes.ts";

const SHOWN = 15;
const WRITE_SECONDS = 20;

type Node = {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
};
type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[] };

/** Where the processes write their profiles; see profile-agent.ts. */
export function profileVariables(dir: string): Record<string, string> {
  mkdirSync(dir, { recursive: true });
  const agent = join(import.meta.dirname, "profile-agent.ts");
  return { PROFILE_DIR: dir, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import ${agent}`.trim() };
}

/** Takes a CPU profile of each of the service's processes while `work` runs, and prints where each spent its time. */
export async function profiled<Result>(
  service: Running,
  { dir, name }: { dir: string; name: string },
  work: () => Promise<Result>,
  log: (line: string) => void,
): Promise<Result> {
  const processes = [service.pid, ...childrenOf(service.pid, "page-program.ts")];
  const signal = () => processes.map((pid) => process.kill(pid, "SIGUSR2"));
  signal();
  const result = await work();
  signal();
  for (const [index, pid] of processes.entries()) {
    const written = join(dir, `${pid}.cpuprofile`);
    const profile = await readWhenWritten(written);
    const file = join(dir, `${name.replace(/\W+/g, "-")}-${index === 0 ? "api" : "pages"}.cpuprofile`);
    rmSync(file, { force: true });
    renameSync(written, file);
    log(`  ${relative(process.cwd(), file)}`);
    for (const line of describe(profile)) log(`    ${line}`);
  }
  return result;
}

/** The file appears at once, but is complete only later. */
async function readWhenWritten(file: string): Promise<Profile> {
  for (let waited = 0; waited < WRITE_SECONDS * 10; waited += 1) {
    await delay(100);
    if (!existsSync(file)) continue;
    try {
      return JSON.parse(readFileSync(file, "utf8"));
    } catch {}
  }
  throw new Error(`No profile was written to ${file}.`);
}

/** The functions in which a process spent the most time of its own, each as a part of the time in which it worked. */
function describe({ nodes, samples, timeDeltas }: Profile): string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const spent = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const frame = byId.get(id)?.callFrame;
    // What starting the profile took is not what we look for.
    if (!frame || frame.functionName === "(idle)" || frame.url === "node:inspector") continue;
    const time = timeDeltas[index] ?? 0;
    busy += time;
    const where = nameOf(frame);
    spent.set(where, (spent.get(where) ?? 0) + time);
  }
  const all = samples.reduce((sum, _, index) => sum + (timeDeltas[index] ?? 0), 0);
  const head = `busy ${percent(busy, all)} of ${(all / 1e6).toFixed(1)} s`;
  const top = [...spent].sort(([, one], [, other]) => other - one).slice(0, SHOWN);
  return [head, ...top.map(([name, time]) => `${percent(time, busy).padStart(6)}  ${name}`)];
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

function nameOf({ functionName, url, lineNumber }: Node["callFrame"]): string {
  const file = url.replace(/^file:\/\//, "");
  const place = file && `${file.startsWith("/") ? relative(process.cwd(), file) : file}:${lineNumber + 1}`;
  return [functionName || "(anonymous)", place].filter(Boolean).join("  ");
}
