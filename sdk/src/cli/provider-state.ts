import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What a provider has computed for a task. `round` tells the work that was first asked for from each change asked for later. */
export type Done = { round: string; result: string; submitted: boolean };

/** The results of a provider's work, kept so that no restart does it again. Written in one step, readable by its owner alone. */
export class ProviderState {
  readonly #file: string;
  readonly #tasks: Map<string, Done>;

  /** @throws Error if the file is there and is not a state */
  constructor(file: string) {
    this.#file = file;
    this.#tasks = new Map(Object.entries(read(file)));
  }

  get(taskId: string): Done | undefined {
    return this.#tasks.get(taskId);
  }

  set(taskId: string, done: Done): void {
    this.#tasks.set(taskId, done);
    this.#save();
  }

  delete(taskId: string): void {
    if (this.#tasks.delete(taskId)) this.#save();
  }

  /** Forgets tasks that have ended. */
  keepOnly(taskIds: ReadonlySet<string>): void {
    const ended = [...this.#tasks.keys()].filter((id) => !taskIds.has(id));
    if (ended.length === 0) return;
    for (const id of ended) this.#tasks.delete(id);
    this.#save();
  }

  #save(): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const draft = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(draft, JSON.stringify({ tasks: Object.fromEntries(this.#tasks) }), { mode: 0o600 });
      renameSync(draft, this.#file);
    } finally {
      rmSync(draft, { force: true });
    }
  }
}

function read(file: string): Record<string, Done> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return {};
    throw error;
  }
  try {
    return (JSON.parse(text) as { tasks: Record<string, Done> }).tasks;
  } catch {
    throw new Error(`${file} is not the state of a provider. Move it away to start again.`);
  }
}
