import { formatPence } from "#lib/kernel/money.ts";
import { splitGross } from "#lib/settlements/fee.ts";
import { readPounds } from "../../../browser/pounds.ts";
import { useStatus } from "../frame/status.ts";

/** What of an amount the provider gets and the platform keeps, before anything is agreed. */
export function Split({ pounds, mode }: { pounds: string; mode: "TEST" | "LIVE" }) {
  const { body: status } = useStatus();
  const pence = readPounds(pounds);
  if (!pence || !status) return null;
  const { netPence, feePence } = splitGross(pence, status.fee_bps);
  const isTooLittle = mode === "LIVE" && pence < status.live_min_pence;
  return (
    <p className={`mt-1 text-13 ${isTooLittle ? "text-danger" : "text-muted"}`}>
      {isTooLittle
        ? `A LIVE task costs at least ${formatPence(status.live_min_pence)}.`
        : `Of ${formatPence(pence)} the provider gets ${formatPence(netPence)} and the platform keeps ${formatPence(feePence)}${mode === "TEST" ? ", all of it simulated" : ""}.`}
    </p>
  );
}
