import { EmptyState } from "#components/empty-state.tsx";
import { Money } from "#components/money/money.tsx";
import { Scrolling } from "#components/scrolling.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { findSettlement } from "#lib/admin/pages/settlements.ts";

type Bookings = NonNullable<Awaited<ReturnType<typeof findSettlement>>>["bookings"];

/** The settlement in the books: every booking with its debits and credits, and that they balance. */
export function Bookings({ bookings, mode }: { bookings: Bookings; mode: "TEST" | "LIVE" }) {
  if (bookings.length === 0) return <EmptyState sentence="Nothing is booked: no money was taken, simulated or not." />;
  return (
    <Scrolling label="Bookings">
      <table className="numbers max-w-column">
        <caption className="pb-1 text-start text-13 text-muted">
          {mode === "TEST" ? "Simulated: these are the TEST books." : "The LIVE books."} Each booking balances.
        </caption>
        <thead>
          <tr>
            <th scope="col">Booking</th>
            <th scope="col" className="text-start">
              Account
            </th>
            <th scope="col">Debit</th>
            <th scope="col">Credit</th>
          </tr>
        </thead>
        {bookings.map(({ id, kind, at, entries }) => (
          <tbody key={id}>
            {entries.map(({ account, amountPence }, place) => (
              <tr key={account}>
                {place === 0 ? (
                  <th scope="rowgroup" rowSpan={entries.length} className="align-top">
                    {kind} {id}
                    <span className="block font-normal text-muted">
                      <Timestamp at={at} form="moment" />
                    </span>
                  </th>
                ) : null}
                <td className="text-start">{account.replaceAll("_", " ")}</td>
                <td>{amountPence > 0 ? <Money pence={amountPence} quiet /> : null}</td>
                <td>{amountPence < 0 ? <Money pence={-amountPence} quiet /> : null}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </Scrolling>
  );
}
