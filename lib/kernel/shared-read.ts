const reads = new Set<() => void>();

/** Reads everything again next time. For tests, which don't wait. */
export function forgetSharedReads(): void {
  for (const forget of reads) forget();
}

/** Reads at most once in `ms` milliseconds, however many ask; whoever asks in the meantime gets the same. A failure is not kept. */
export function sharedRead<Result>(ms: number, read: () => Promise<Result>): () => Promise<Result> {
  let last: { at: number; result: Promise<Result> } | undefined;
  reads.add(() => {
    last = undefined;
  });
  return () => {
    const now = performance.now();
    if (!last || now - last.at >= ms) {
      const result = read();
      last = { at: now, result };
      result.catch(() => {
        last = undefined;
      });
    }
    return last.result;
  };
}
