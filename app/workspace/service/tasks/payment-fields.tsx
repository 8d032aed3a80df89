import { useId } from "react";
import { liveMoney, ModeBadge } from "#components/mode-badge.tsx";
import { formatPence } from "#lib/kernel/money.ts";
import { splitGross } from "#lib/settlements/fee.ts";
import { readPounds } from "../../../browser/pounds.ts";
import { useRehearsal, useStatus } from "../frame/installation.ts";

/** The choice of TEST or LIVE, if this installation offers both. It shows the LIVE minimum before LIVE is chosen. */
export function ModeChoice({ error }: { error?: string }) {
  const { body: status } = useStatus();
  const money = liveMoney(useRehearsal());
  const id = useId();
  const isLive = status?.payment_modes.includes("LIVE") ?? false;
  const minimum = formatPence(status?.live_min_pence ?? 0);
  const maximum = formatPence(status?.live_max_pence ?? 0);
  const fee = (status?.fee_bps ?? 0) / 100;
  const test = (
    <span>
      <ModeBadge mode="TEST" /> Simulated from end to end: no money moves.
    </span>
  );
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1 font-semibold">Mode</legend>
      {isLive ? (
        <>
          <label className="flex items-start gap-3 py-1">
            <input
              type="radio"
              name="payment_mode"
              value="TEST"
              defaultChecked
              className="mt-1 size-5 shrink-0 accent-accent"
            />
            {test}
          </label>
          <label className="flex items-start gap-3 py-1">
            <input type="radio" name="payment_mode" value="LIVE" className="mt-1 size-5 shrink-0 accent-accent" />
            <span>
              <ModeBadge mode="LIVE" /> Paid by card with {money}, at least {minimum} and at most {maximum}. The
              platform keeps {fee} %.
            </span>
          </label>
        </>
      ) : (
        test
      )}
      {isLive ? null : (
        <p className="mt-1 max-w-measure text-13 text-muted">
          {status
            ? `This installation only offers TEST. Where LIVE is offered, a task costs at least ${minimum} and the platform keeps ${fee} %.`
            : "Loading…"}
        </p>
      )}
      {error ? (
        <p id={`${id}-error`} className="mt-1 text-13 text-danger">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

/** How an amount would be split between provider and platform. */
export function Split({ pounds, mode }: { pounds: string; mode?: "TEST" | "LIVE" }) {
  const { body: status } = useStatus();
  const pence = readPounds(pounds);
  if (!pence || !status) return null;
  const { netPence, feePence } = splitGross(pence, status.fee_bps);
  const isTooMuch = mode === "LIVE" && pence > status.live_max_pence;
  const isTooLittle = mode === "LIVE" && pence < status.live_min_pence;
  return (
    <p className={`mt-1 text-13 ${isTooLittle || isTooMuch ? "text-danger" : "text-muted"}`}>
      {isTooLittle
        ? `A LIVE task costs at least ${formatPence(status.live_min_pence)}.`
        : isTooMuch
          ? `A LIVE task costs at most ${formatPence(status.live_max_pence)}.`
          : `Of ${formatPence(pence)} the provider gets ${formatPence(netPence)} and the platform keeps ${formatPence(feePence)}${mode === "TEST" ? ", all of it simulated" : ""}.`}
    </p>
  );
}
