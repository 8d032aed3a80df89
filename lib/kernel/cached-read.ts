type Cached = { at: number; value: Promise<unknown>; settled: boolean; next?: Promise<unknown> | undefined };

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
  const cache = shared.guildhallCachedReads;
  const found = cache.get(name);
  const age = found ? performance.now() - found.at : 0;
  if (found && (!found.settled || age < ttlMs / 2)) return found.value as Promise<Value>;
  if (found?.next) return (age < ttlMs ? found.value : found.next) as Promise<Value>;
  const at = performance.now();
  const value = read();
  const entry: Cached = { at, value, settled: false };
  const settle = () => {
    entry.settled = true;
    cache.set(name, entry);
  };
  if (!found) {
    cache.set(name, entry);
    value.then(settle, () => cache.delete(name));
    return value;
  }
  found.next = value;
  value.then(settle, () => {
    found.next = undefined;
  });
  return (age < ttlMs ? found.value : value) as Promise<Value>;
}

/** Reads everything again next time. For tests, which change the data and must not see earlier results. */
export function forgetCachedReads(): void {
  shared.guildhallCachedReads?.clear();
}
