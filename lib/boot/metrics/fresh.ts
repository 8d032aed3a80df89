/** The database is asked at most this often, however many collect. */
const FRESH_MS = 5_000;
const readings = new Set<() => void>();

/** Reads everything again next time. For tests, which don't wait. */
export function forgetReadings(): void {
  for (const forget of readings) forget();
}

/** Reads at most once in a while; those who ask in the meantime share what was read. */
export function fresh<Result>(work: () => Promise<Result>, ms = FRESH_MS): () => Promise<Result> {
  let last: { at: number; result: Promise<Result> } | undefined;
  readings.add(() => {
    last = undefined;
  });
  return () => {
    const now = performance.now();
    if (!last || now - last.at >= ms) {
      const result = work();
      last = { at: now, result };
      result.catch(() => {
        last = undefined;
      });
    }
    return last.result;
  };
}
