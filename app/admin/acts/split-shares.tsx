import { Money, type PaymentMode } from "#components/money/money.tsx";
import { splitGross } from "#lib/settlements/fee.ts";
import { readPounds } from "../../browser/pounds.ts";

/** What a split divides, and between whom. */
export type SplitTerms = {
  provider: string;
  requester: string;
  leftPence: number;
  bps: number;
  mode: PaymentMode;
};

/** Who gets what of a split, while its amount is typed. */
export function SplitShares({ typed, provider, requester, leftPence, bps, mode }: SplitTerms & { typed: string }) {
  const awarded = readPounds(typed);
  const shares = awarded !== undefined && awarded <= leftPence ? splitGross(awarded, bps) : undefined;
  return (
    <output className="mt-1 block min-h-6 text-15">
      {shares && awarded !== undefined ? (
        <Shares
          provider={provider}
          requester={requester}
          mode={mode}
          providerPence={shares.netPence}
          feePence={shares.feePence}
          requesterPence={leftPence - awarded}
        />
      ) : null}
    </output>
  );
}

/** `Night Ferry £5.40, fee £0.60, Harbour Office £4.00 back`; `isDue`: it is owed until somebody refunds it. */
export function Shares({
  provider,
  requester,
  mode,
  providerPence,
  feePence,
  requesterPence,
  isDue = false,
}: Omit<SplitTerms, "leftPence" | "bps"> & {
  providerPence: number;
  feePence: number;
  requesterPence: number;
  isDue?: boolean;
}) {
  return (
    <>
      {provider} <Money pence={providerPence} mode={mode} quiet />, fee <Money pence={feePence} mode={mode} quiet />,{" "}
      {requester} <Money pence={requesterPence} mode={mode} /> {isDue ? "due, not refunded yet" : "back"}
    </>
  );
}
