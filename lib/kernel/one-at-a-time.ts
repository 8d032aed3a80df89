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
    if (!running) return run();
    next ??= running.then(run, run);
    return next;
  };
}
