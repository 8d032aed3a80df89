import type { AgentTask } from "./a2a.ts";
import { readOwn, writeOwn } from "./own-file.ts";

/**
 * What a provider has done for a task. `round` tells the work that was first asked for from each change asked for later. Without a
 * `result` the work goes on, as a task of the operator's own agent.
 */
export type Done = { round: string; result?: string; files?: string[]; submitted: boolean; agentTask?: AgentTask };

/** The results of a provider's work, kept so that no restart does it again. */
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
    writeOwn(this.#file, { tasks: Object.fromEntries(this.#tasks) });
  }
}

function read(file: string): Record<string, Done> {
  const text = readOwn(file);
  if (text === undefined) return {};
  try {
    return (JSON.parse(text) as { tasks: Record<string, Done> }).tasks;
  } catch {
    throw new Error(`${file} is not the state of a provider. Move it away to start again.`);
  }
}
