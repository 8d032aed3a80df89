/**
 * Lets one run of `work` go on at a time. All who call meanwhile share one more run after it, so that nobody gets the outcome of a run
 * that began before they called.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  function run(): Promise<void> {
    next = undefined;
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  }
  return () => {
    // When a run has just ended, the next one may be due and not have begun.
    if (next) return next;
    if (!running) return run();
    next = running.then(run, run);
    return next;
  };
}

/** Handles one item at a time, and of those that come meanwhile only the newest. `report` is told of failures. */
export function newestOnly<Item>(handle: (item: Item) => Promise<void>, report: (error: unknown) => void) {
  let newest: { item: Item } | undefined;
  const work = oneAtATime(async () => {
    const taken = newest;
    newest = undefined;
    if (taken) await handle(taken.item).catch(report);
  });
  return {
    add(item: Item): void {
      newest = { item };
      void work();
    },
    /** Drops what waits. @returns after what is being handled */
    stop(): Promise<void> {
      newest = undefined;
      return work();
    },
  };
}
