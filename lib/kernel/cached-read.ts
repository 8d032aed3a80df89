type Cached = { newest?: { at: number; value: Promise<unknown> }; reading?: Promise<unknown> | undefined };

// The service and Next load their own copies of this module.
const shared = globalThis as { guildhallCachedReads?: Map<string, Cached> };

/**
 * Shares the result of a costly read among all callers. Nobody gets a result whose read began more than `ttlMs` ago: from half that
 * age on, one read replaces it while callers still get the old one, and beyond it they wait for that read. However many callers ask at
 * once, it is read once. A failed read fails only the callers that waited for it, and is not cached.
 * @param name unique in the process; few
 */
export function cachedRead<Value>(name: string, ttlMs: number, read: () => Promise<Value>): Promise<Value> {
  shared.guildhallCachedReads ??= new Map();
  const cached = shared.guildhallCachedReads.get(name) ?? {};
  shared.guildhallCachedReads.set(name, cached);
  const now = performance.now();
  const age = cached.newest ? now - cached.newest.at : Number.POSITIVE_INFINITY;
  if (age >= ttlMs / 2 && !cached.reading) {
    const value = read();
    const end = () => {
      cached.reading = undefined;
    };
    cached.reading = value;
    value.then(() => {
      cached.newest = { at: now, value };
      end();
    }, end);
  }
  return (age < ttlMs ? cached.newest?.value : cached.reading) as Promise<Value>;
}

/** Reads everything again next time. For tests, which change the data and must not see earlier results. */
export function forgetCachedReads(): void {
  shared.guildhallCachedReads?.clear();
}
