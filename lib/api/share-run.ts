import { setTimeout as delay } from "node:timers/promises";

// Under load, many visitors read the same list at the same moment. Nothing is cached for them: a run begins after everyone who shares it has
// asked, and so shows everything that was committed by then.

/** How long callers that came too late for a run wait for its end before theirs begins in parallel. */
const PATIENCE_MS = 250;

type Run = { result: Promise<unknown>; next?: Promise<unknown> };

const runs = new Map<string, Run>();

/** Runs `work`, or waits for the next run under this key if one has begun already. Keys are kept for as long as somebody waits. */
export function shareRun<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const run = runs.get(key);
  if (!run) return begin(key, work);
  run.next ??= settled(run.result).then(() => begin(key, work));
  return run.next as Promise<Result>;
}

function begin<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const run: Run = { result: work() };
  runs.set(key, run);
  const forget = () => {
    if (runs.get(key) === run && !run.next) runs.delete(key);
  };
  run.result.then(forget, forget);
  return run.result as Promise<Result>;
}

async function settled(result: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const waited = delay(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined);
  await Promise.race([result.catch(() => undefined), waited]);
  patience.abort();
}
