import { Button } from "#components/button.tsx";
import type { Refusal } from "#components/form/refusal.tsx";

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** When a resource was last read, whether the last read failed, and a button to refresh it. */
export function Freshness({
  reading: { freshAt, refusal, pending, nextAt, awaited, refresh },
}: {
  reading: {
    freshAt: number | null;
    refusal: Refusal | null;
    pending: boolean;
    nextAt: number | null;
    awaited: boolean;
    refresh: () => void;
  };
}) {
  return (
    <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 text-13 text-muted">
      <p>
        {freshAt === null ? (pending ? "Loading…" : "Not loaded yet") : `Updated at ${clock.format(freshAt)}`}
        {pending && freshAt !== null ? ", refreshing…" : null}
        <span role="status">
          {awaited && nextAt !== null && !refusal
            ? `. The rate limit allows the next refresh at ${clock.format(nextAt)}.`
            : null}
        </span>
        <span role="status" className="text-danger">
          {refusal ? ` ${reason(refusal)}${nextAt === null ? "" : ` Next attempt at ${clock.format(nextAt)}.`}` : null}
        </span>
      </p>
      <Button onClick={refresh} look="link">
        Refresh
      </Button>
    </div>
  );
}

function reason(refusal: Refusal): string {
  if (refusal.status === 0) return "The service is not answering.";
  if (refusal.status === 429) return "Too many requests.";
  return `The last refresh failed: ${refusal.message}${refusal.requestId ? ` (request ${refusal.requestId})` : ""}`;
}
