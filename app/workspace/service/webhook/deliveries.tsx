import { Copyable } from "#components/copyable.tsx";
import { Part } from "#components/part.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import { ColumnHeads, Scrolling } from "#components/table.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { Delivery } from "./webhook-resource.ts";

export const OUTCOME_WORDS: Record<Delivery["outcome"], string> = {
  delivered: "Delivered",
  status: "Refused",
  gone: "Gone (410)",
  redirect: "Redirect, not followed",
  timeout: "Timed out",
  dns: "Name not found",
  refused_address: "Address not public",
  unreachable: "No connection",
  tls: "No secure connection",
  invalid_answer: "Invalid answer",
};

/** The newest deliveries as a table, newest first. */
export function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <Part id="deliveries" title="Deliveries" className="mt-12">
      {deliveries.length === 0 ? (
        <p className="border-ink border-t py-4 text-17">Nothing has been delivered yet. The next event appears here.</p>
      ) : (
        <Scrolling label="Deliveries, newest first">
          <table className="ledger">
            <ColumnHeads names={["Time", "Result", "Status", "Position", "Attempt", "Duration", "Event"]} />
            <tbody>
              {deliveries.map((delivery) => (
                <tr key={`${delivery.event_id} ${delivery.at}`}>
                  <th scope="row">
                    <Timestamp at={delivery.at} form="moment" />
                  </th>
                  <td className="whitespace-nowrap">
                    <span className="inline-flex items-baseline gap-1.5">
                      <StateShape
                        shape={delivery.outcome === "delivered" ? "disc" : "cross"}
                        className={delivery.outcome === "delivered" ? "text-accent" : "text-danger"}
                      />{" "}
                      {OUTCOME_WORDS[delivery.outcome]}
                    </span>
                  </td>
                  <td className="tabular-nums">{delivery.status ?? "–"}</td>
                  <td className="tabular-nums">{delivery.position.toLocaleString("en-GB")}</td>
                  <td className="tabular-nums">{delivery.attempt}</td>
                  <td className="whitespace-nowrap tabular-nums">{delivery.ms.toLocaleString("en-GB")} ms</td>
                  <td>
                    <Copyable value={delivery.event_id} label="event ID" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
    </Part>
  );
}
