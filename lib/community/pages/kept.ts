type Kept = { at: number; value: Promise<unknown>; settled: boolean; next?: Promise<unknown> };

const shared = globalThis as { guildhallKept?: Map<string, Kept> };

/**
 * Keeps what a costly read found for `ttlMs`, for all who ask. However many ask at once, it is read once; and while it is read
 * anew they get what was found last. A failed read is told to those who waited for it, and kept from nobody else.
 */
export function kept<Value>(name: string, ttlMs: number, read: () => Promise<Value>): Promise<Value> {
  shared.guildhallKept ??= new Map();
  const all = shared.guildhallKept;
  const found = all.get(name);
  if (found && (!found.settled || found.next || performance.now() - found.at < ttlMs))
    return found.value as Promise<Value>;
  const value = read();
  const entry: Kept = { at: performance.now(), value, settled: false };
  const settle = () => {
    entry.settled = true;
    entry.at = performance.now();
    all.set(name, entry);
  };
  if (!found) {
    all.set(name, entry);
    value.then(settle, () => all.delete(name));
    return value;
  }
  found.next = value;
  value.then(settle, () => {
    found.next = undefined;
  });
  return found.value as Promise<Value>;
}
