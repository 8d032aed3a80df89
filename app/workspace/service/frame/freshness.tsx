import type { Refusal } from "#components/form/refusal.tsx";

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** When something was last read, what became of the latest try, and a way to ask for it now. */
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
        {freshAt === null ? (pending ? "Reading…" : "Not read yet") : `As of ${clock.format(freshAt)}`}
        {pending && freshAt !== null ? ", reading again…" : null}
        <span role="status">
          {awaited && nextAt !== null && !refusal
            ? `, and again at ${clock.format(nextAt)}: no sooner, by the limits`
            : null}
        </span>
        <span role="status" className="text-danger">
          {refusal ? ` ${reason(refusal)}${nextAt === null ? "" : ` Next try at ${clock.format(nextAt)}.`}` : null}
        </span>
      </p>
      <button
        type="button"
        onClick={refresh}
        className="underline decoration-accent decoration-1 underline-offset-[0.2em] hover:decoration-2"
      >
        Refresh
      </button>
    </div>
  );
}

function reason(refusal: Refusal): string {
  if (refusal.status === 0) return "The service does not answer.";
  if (refusal.status === 429) return "The service asks to come back later.";
  return `The last try was refused: ${refusal.message}${refusal.requestId ? ` (request ${refusal.requestId})` : ""}`;
}
