import type { SettlementWire } from "#lib/settlements/schema.ts";
import { withoutRepeats } from "../checklist.tsx";

type Hold = NonNullable<SettlementWire["transfer_holds"]>[number];

/** What keeps a queued transfer from being sent, each with what lifts it. */
export function TransferHolds({ holds }: { holds: readonly Hold[] }) {
  return (
    <ul>
      {withoutRepeats(holds).map(({ reason, detail, remedy }) => (
        <li key={reason}>
          <span className="text-ink">{detail}</span> {remedy}
        </li>
      ))}
    </ul>
  );
}
