import { formatPence } from "#lib/kernel/money.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";

export type PaymentMode = SettlementWire["payment_mode"];

/**
 * An amount in pence, shown in pounds. Amounts in TEST mode always say that they are simulated; `quiet` leaves the word to
 * a column head or caption that already says so. `zero` is what stands for nothing, such as `Free`.
 */
export function Money({
  pence,
  mode,
  quiet = false,
  zero,
}: {
  pence: number;
  mode?: PaymentMode;
  quiet?: boolean;
  zero?: string;
}) {
  const isWord = pence === 0 && zero !== undefined;
  return (
    <span className="whitespace-nowrap">
      <data value={pence}>{isWord ? zero : formatPence(pence)}</data>
      {mode === "TEST" && !quiet && !isWord ? <span className="text-13 text-muted"> simulated</span> : null}
    </span>
  );
}
