import type { PaymentMode } from "./money/money.tsx";

const MEANING: Record<PaymentMode, string> = {
  TEST: "Simulated. No money moves.",
  LIVE: "Paid by card.",
};

const LOOK: Record<PaymentMode, string> = {
  TEST: "hatched border border-caution text-caution",
  LIVE: "border border-ink bg-ink text-paper",
};

/** The recorded payment mode: TEST is outlined and hatched, LIVE is solid ink. */
export function ModeBadge({ mode }: { mode: PaymentMode }) {
  return (
    <span
      title={MEANING[mode]}
      className={`inline-block rounded-field px-1.5 align-baseline font-sans font-semibold text-13 leading-[1.125rem] tracking-[0.06em] ${LOOK[mode]}`}
    >
      {mode}
    </span>
  );
}

/** The head of a table's row for one mode: the badge, and in words that TEST is simulated. */
export function ModeHead({ mode }: { mode: PaymentMode }) {
  return (
    <th scope="row">
      <ModeBadge mode={mode} />
      {mode === "TEST" ? <span className="block text-13 text-muted sm:ms-2 sm:inline">simulated</span> : null}
    </th>
  );
}

/** What a LIVE payment moves. A rehearsal runs LIVE with a Stripe test key. */
export const liveMoney = (rehearsal: boolean | undefined) => (rehearsal ? "test money" : "real money");

/** Shown wherever LIVE is mentioned while it is only rehearsed. */
export function RehearsalNote({ shown }: { shown: boolean | undefined }) {
  if (!shown) return null;
  return <p className="mt-3 max-w-measure text-13 text-muted">This is a rehearsal: no real money moves.</p>;
}
