import type { SettlementWire } from "#lib/settlements/schema.ts";

type Hold = NonNullable<SettlementWire["transfer_holds"]>[number];

/** What keeps a queued transfer from being sent, each with what lifts it. */
export function TransferHolds({ holds }: { holds: readonly Hold[] }) {
  // A provider without any account misses all of its steps for one and the same reason.
  const distinct = new Map(holds.map((hold) => [`${hold.detail} ${hold.remedy}`, hold]));
  return (
    <ul>
      {[...distinct].map(([words, { detail, remedy }]) => (
        <li key={words}>
          <span className="text-ink">{detail}</span> {remedy}
        </li>
      ))}
    </ul>
  );
}
