import type { Refusal } from "#components/form/refusal.tsx";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import { read } from "../connection/service-call.ts";
import type { SettlementPage } from "../task/task-resource.ts";

const PAGE = 100;
const TRIES = 5;

const wait = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

/**
 * Goes through all settlements, newest first, a page at a time, and hands each page on: nobody holds them all. It waits when it is
 * asked to, and ends early when `goesOn` says so. Gives the refusal that it could not get past, or null.
 */
export async function walkSettlements(
  take: (page: readonly SettlementWire[]) => void,
  goesOn: () => boolean,
): Promise<Refusal | null> {
  let cursor: string | undefined;
  let failures = 0;
  while (goesOn()) {
    const outcome = await read<SettlementPage>("settlements/mine.php", { cursor, limit: PAGE });
    if (!outcome.ok) {
      failures += 1;
      const { status, retryAfterSeconds } = outcome.refusal;
      const mayPass = status === 0 || status === 429 || status >= 500;
      if (!mayPass || failures >= TRIES || outcome.refusal.code === "incomplete") return outcome.refusal;
      await wait(retryAfterSeconds ?? 2 ** failures);
      continue;
    }
    failures = 0;
    take(outcome.body.settlements);
    if (outcome.body.next_cursor === null) return null;
    cursor = outcome.body.next_cursor;
  }
  return null;
}
