import { join } from "node:path";
import { type DataSet, openData, type Sizes } from "./data.ts";
import type { Running } from "./processes.ts";

/** What is open while some parts are measured. All of it is closed when it is disposed of, the last first. */
export class Ground extends AsyncDisposableStack {
  readonly #folder: string;
  readonly #keep: boolean;

  /** @param keep uses the data of an earlier run, if it has the size that is asked for */
  constructor(folder: string, keep: boolean) {
    super();
    this.#folder = folder;
    this.#keep = keep;
  }

  async open(name: string, sizes: Sizes): Promise<DataSet> {
    const data = await openData(join(this.#folder, name), sizes, this.#keep, console.log);
    this.defer(() => data.close());
    return data;
  }

  async start(begin: (data: DataSet) => Promise<Running>, data: DataSet): Promise<Running> {
    const running = await begin(data);
    this.defer(() => running.stop());
    return running;
  }
}
