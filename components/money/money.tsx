import type { SettlementWire } from "#lib/settlements/schema.ts";

export type PaymentMode = SettlementWire["payment_mode"];

const sterling = new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP" });

/** `123456` → `£1,234.56`. */
export function poundsOf(pence: number): string {
  return sterling.format(pence / 100);
}

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
  return (
    <span className="whitespace-nowrap">
      <data value={pence}>{pence === 0 && zero ? zero : poundsOf(pence)}</data>
      {mode === "TEST" && !quiet ? <span className="text-13 text-muted"> simulated</span> : null}
    </span>
  );
}
