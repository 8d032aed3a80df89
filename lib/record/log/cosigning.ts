/**
 * Asks witnesses in the background about one checkpoint at a time. Signing never waits for that. Of the checkpoints that are signed
 * meanwhile, only the newest is asked about next: nobody reads the others.
 */
export class Cosigning<Checkpoint> {
  readonly #ask: (checkpoint: Checkpoint) => Promise<unknown>;
  readonly #report: (error: unknown) => void;
  #next: Checkpoint | undefined;
  #running: Promise<void> | undefined;

  constructor(ask: (checkpoint: Checkpoint) => Promise<unknown>, report: (error: unknown) => void) {
    this.#ask = ask;
    this.#report = report;
  }

  about(checkpoint: Checkpoint): void {
    this.#next = checkpoint;
    this.#running ??= this.#run();
  }

  /** Waits until the present question is answered or given up. */
  async stop(): Promise<void> {
    this.#next = undefined;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#next !== undefined) {
      const checkpoint = this.#next;
      this.#next = undefined;
      await this.#ask(checkpoint).catch(this.#report);
    }
    this.#running = undefined;
  }
}
