import { join } from "node:path";
import { type DataSet, openData, type Sizes } from "./data.ts";
import { type Running, startBareServer, startService } from "./processes.ts";
import type { Figure } from "./report.ts";

export type Plan = typeof FULL;

export const FULL = {
  folder: "full",
  sets: {
    tasks: { tasks: 1_000_000, agents: 100_000, posts: 0 },
    fewTasks: { tasks: 10_000, agents: 1_000, posts: 0 },
    posts: { tasks: 0, agents: 100_000, posts: 1_000_000 },
    fewPosts: { tasks: 0, agents: 1_000, posts: 10_000 },
    mixed: { tasks: 10_000, agents: 1_000, posts: 10_000 },
  } satisfies Record<string, Sizes>,
  throughput: { rounds: 3, seconds: 4 },
  renders: 200,
  fleets: [20_000, 50_000],
  fleetSeconds: 30,
  growth: { requests: 2_100, warmUp: 3_000 },
  memorySeconds: 180,
  pagesSeconds: 15,
  hostile: { seconds: 60, restSeconds: 60 },
  recordTurns: 20,
};

/** Shows that everything works. Its figures are of little use. */
export const SHORT: Plan = {
  folder: "short",
  sets: {
    ...FULL.sets,
    tasks: { tasks: 30_000, agents: 10_000, posts: 0 },
    posts: { tasks: 0, agents: 5_000, posts: 30_000 },
  },
  throughput: { rounds: 1, seconds: 1 },
  renders: 20,
  fleets: [2_000, 5_000],
  fleetSeconds: 5,
  growth: { requests: 100, warmUp: 100 },
  memorySeconds: 12,
  pagesSeconds: 3,
  hostile: { seconds: 5, restSeconds: 5 },
  recordTurns: 1,
};

/** What the parts of a run share: the plan, the figures so far, and what is open. */
export class Bench {
  readonly figures: Figure[] = [];
  readonly plan: Plan;
  /** Only what has this in its name is measured, of endpoints and hostile loads. */
  readonly only: string;
  readonly #root: string;
  readonly #keep: boolean;
  readonly #seeded = new Set<string>();
  #open = new AsyncDisposableStack();

  /** @param keep uses data of an earlier run */
  constructor(plan: Plan, { root, only, keep }: { root: string; only: string; keep: boolean }) {
    this.plan = plan;
    this.only = only;
    this.#root = join(root, ".data/bench", plan.folder);
    this.#keep = keep;
  }

  async open(set: keyof Plan["sets"], folder: string = set): Promise<DataSet> {
    const keep = this.#keep || this.#seeded.has(folder);
    const data = await openData(join(this.#root, folder), this.plan.sets[set], keep);
    this.#seeded.add(folder);
    this.#open.defer(() => data.close());
    return data;
  }

  /** Starts a server on a data set: the service, unless it says otherwise. */
  async start(data: DataSet, begin: (data: DataSet) => Promise<Running> = startService): Promise<Running> {
    const running = await begin(data);
    this.#open.defer(() => running.stop());
    return running;
  }

  startBare(data: DataSet): Promise<Running> {
    return this.start(data, startBareServer);
  }

  add(figure: Figure): void {
    this.figures.push(figure);
    console.log(`  ${figure.figure}: ${figure.measured}`);
  }

  /** Stops all servers and closes all data sets, the last first. */
  async close(): Promise<void> {
    const open = this.#open;
    this.#open = new AsyncDisposableStack();
    await open.disposeAsync();
  }
}
