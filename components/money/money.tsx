import { formatPence } from "#lib/kernel/money.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";

export type PaymentMode = SettlementWire["payment_mode"];

/**
 * An amount in pence, shown in pounds. Amounts in TEST always say that they are simulated, unless a column heading or caption
 * already does (`quiet`). `zero` replaces an amount of nothing, such as `Free`.
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
