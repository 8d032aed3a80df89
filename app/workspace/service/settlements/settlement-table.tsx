import { ModeBadge } from "#components/mode-badge.tsx";
import { stagesOf } from "#components/money-path/stages.ts";
import { Scrolling } from "#components/scrolling.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import { BASE, taskPath } from "../frame/place.ts";
import { PlaceLink } from "../frame/place-link.tsx";
import { AmountCells, AmountHeads } from "./amounts.tsx";

/** Settlements as a table, newest first; each leads to its task, where its money's path is drawn. */
export function SettlementTable({
  settlements,
  own,
  isFirst,
}: {
  settlements: readonly SettlementWire[] | undefined;
  own: string;
  isFirst: boolean;
}) {
  if (!settlements) return <p className="border-ink border-t py-4 text-muted">Reading…</p>;
  if (settlements.length === 0) {
    return (
      <p className="border-ink border-t py-4 text-17">
        {isFirst ? (
          <>
            No settlement yet. One is recorded when both parties have accepted an agreement:{" "}
            <PlaceLink href={`${BASE}/tasks`}>go to the tasks</PlaceLink>.
          </>
        ) : (
          "Nothing is older than this."
        )}
      </p>
    );
  }
  return (
    <Scrolling label="Settlements, newest first">
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col">Recorded</th>
            <th scope="col">Mode</th>
            <th scope="col">As</th>
            <AmountHeads />
            <th scope="col">State</th>
            <th scope="col">Money</th>
          </tr>
        </thead>
        <tbody>
          {settlements.map((settlement) => (
            <tr key={settlement.settlement_id}>
              <th scope="row">
                <PlaceLink href={taskPath(settlement.task_id)}>
                  <Timestamp at={settlement.recorded_at} form="moment" />
                </PlaceLink>
              </th>
              <td>
                <ModeBadge mode={settlement.payment_mode} />
              </td>
              <td>{settlement.provider_public_id === own ? "Provider" : "Requester"}</td>
              <AmountCells amounts={settlement} mode={settlement.payment_mode} />
              <td>
                <StateLabel kind="settlement" state={settlement.state} />
              </td>
              <td>{reached(settlement)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

/** The last stage that the money has come to. */
function reached(settlement: SettlementWire): string {
  const stages = stagesOf(settlement);
  const last = stages.findLast(({ pence, mark }) => pence !== null && mark !== "failed") ?? stages[0];
  const failed = stages.find(({ mark }) => mark === "failed");
  const word = failed && settlement.state !== "void" ? `${failed.name} ${failed.words ?? ""}` : (last?.name ?? "");
  return settlement.simulated ? `${word}, simulated` : word;
}
