type Entry = { at: number; value: Promise<unknown>; settled: boolean; next?: Promise<unknown> | undefined };

const shared = globalThis as { guildhallCache?: Map<string, Entry> };

/**
 * Shares the result of a costly read among all callers. Nobody gets a result whose read began more than `ttlMs` ago, however few ask:
 * from half that age on, one read replaces it while callers still get the old one, and beyond it they wait for that read. However
 * many callers ask at once, it is read once. A failed read rejects only for the callers that waited for it, and is not cached.
 */
export function staleWhileRevalidate<Value>(name: string, ttlMs: number, read: () => Promise<Value>): Promise<Value> {
  shared.guildhallCache ??= new Map();
  const cache = shared.guildhallCache;
  const found = cache.get(name);
  const age = found ? performance.now() - found.at : 0;
  if (found && (!found.settled || age < ttlMs / 2)) return found.value as Promise<Value>;
  if (found?.next) return (age < ttlMs ? found.value : found.next) as Promise<Value>;
  const at = performance.now();
  const value = read();
  const entry: Entry = { at, value, settled: false };
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

/** Forgets all results. Only tests call it: they change the data and must not see earlier results. */
export function clearCache(): void {
  shared.guildhallCache?.clear();
}
