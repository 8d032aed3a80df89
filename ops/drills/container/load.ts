import { setTimeout as delay } from "node:timers/promises";
import { newId } from "#lib/kernel/ids.ts";

/** An identity that makes calls. */
export type Caller = { publicId: string; token: string };

export type LoadResult = {
  requests: number;
  /** What first attempts met: a status or the name of an error, and how often. Each of these was tried a second time. */
  retried: Record<string, number>;
  /** Requests whose second attempt failed as well, or that got an answer of another kind. */
  failed: string[];
  longestMs: number;
  /** The IDs of tasks whose creation was acknowledged. */
  created: string[];
};

const CLIENTS = 4;
/** A load that nobody stops ends after this time. */
const MAX_SECONDS = 300;
/** Longer than Caddy looks for a process that takes the request. */
const ATTEMPT_MS = 30_000;
/** By then, Caddy has noticed what has stopped. */
const RETRY_MS = 2_000;

type Request = { path: string; caller?: Caller; fields?: Record<string, unknown>; key?: string };

/**
 * Pages, reads and writes from a few clients, each of which sends a request that failed once more, two seconds later and with the same key.
 * @returns what stops it, after the requests that are under way
 */
export function startLoad(url: string, callers: Caller[]): { stop(): Promise<LoadResult> } {
  const result: LoadResult = { requests: 0, retried: {}, failed: [], longestMs: 0, created: [] };
  const until = performance.now() + MAX_SECONDS * 1000;
  let stopped = false;

  async function send(request: Request): Promise<Record<string, unknown> | undefined> {
    const began = performance.now();
    result.requests += 1;
    let { outcome, body } = await attempt(url, request);
    if (outcome !== "ok") {
      result.retried[outcome] = (result.retried[outcome] ?? 0) + 1;
      await delay(RETRY_MS);
      ({ outcome, body } = await attempt(url, request));
    }
    if (outcome !== "ok") result.failed.push(`${request.path}: ${outcome}`);
    result.longestMs = Math.max(result.longestMs, Math.round(performance.now() - began));
    return outcome === "ok" ? body : undefined;
  }

  async function client(caller: Caller): Promise<void> {
    while (!stopped && performance.now() < until) {
      await send({ path: "/tasks" });
      await send({ path: "/api/v1/jobs/list.php" });
      const key = newId("req");
      const fields = { brief: "b", budget_pence: 1_000, client_request_id: key, visibility: "unlisted" };
      const created = await send({ path: "/api/v1/jobs/create.php", caller, fields, key });
      const { task_id } = (created?.task ?? {}) as { task_id?: string };
      if (!task_id) continue;
      result.created.push(task_id);
      await send({ path: "/api/v1/jobs/cancel.php", caller, fields: { task_id }, key });
    }
  }

  const working = Promise.all(
    Array.from({ length: CLIENTS }, (_, index) => callers[index % callers.length] as Caller).map(client),
  );
  return {
    async stop() {
      stopped = true;
      await working;
      return result;
    },
  };
}

async function attempt(url: string, { path, caller, fields, key }: Request) {
  try {
    const response = await fetch(new URL(path, url), {
      signal: AbortSignal.timeout(ATTEMPT_MS),
      headers: {
        ...(caller ? { Authorization: `Bearer ${caller.token}`, "Content-Type": "application/json" } : {}),
        ...(key ? { "Idempotency-Key": key } : {}),
      },
      ...(caller ? { method: "POST", body: JSON.stringify({ public_id: caller.publicId, ...fields }) } : {}),
    });
    const text = await response.text();
    if (!response.ok) return { outcome: String(response.status) };
    return { outcome: "ok", body: caller ? (JSON.parse(text) as Record<string, unknown>) : {} };
  } catch (error) {
    const { cause, name } = error as { cause?: { code?: string }; name: string };
    return { outcome: cause?.code ?? name };
  }
}
