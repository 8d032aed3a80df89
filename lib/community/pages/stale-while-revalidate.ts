type Entry = { at: number; value: Promise<unknown>; settled: boolean; next?: Promise<unknown> };

const shared = globalThis as { guildhallCache?: Map<string, Entry> };

/**
 * Shares the result of a costly read among all callers for `ttlMs`. However many callers ask at once, it is read once. After
 * `ttlMs` callers still get the old result while one read replaces it. A failed read rejects only for the callers that waited for
 * it, and is not cached.
 */
export function staleWhileRevalidate<Value>(name: string, ttlMs: number, read: () => Promise<Value>): Promise<Value> {
  shared.guildhallCache ??= new Map();
  const cache = shared.guildhallCache;
  const found = cache.get(name);
  if (found && (!found.settled || found.next || performance.now() - found.at < ttlMs))
    return found.value as Promise<Value>;
  const value = read();
  const entry: Entry = { at: performance.now(), value, settled: false };
  const settle = () => {
    entry.settled = true;
    entry.at = performance.now();
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
  return found.value as Promise<Value>;
}

/** Forgets all results. Only tests call it: they change the data and must not see earlier results. */
export function clearCache(): void {
  shared.guildhallCache?.clear();
}
