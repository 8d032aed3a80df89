import { Scrolling } from "#components/admin/scrolling.tsx";
import { EmptyState } from "#components/empty-state.tsx";
import { Money } from "#components/money/money.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { findSettlement } from "#lib/admin/pages/settlements.ts";

type Bookings = NonNullable<Awaited<ReturnType<typeof findSettlement>>>["bookings"];

/** The settlement in the books: every booking with its debits and credits, and that they balance. */
export function Bookings({ bookings, mode }: { bookings: Bookings; mode: "TEST" | "LIVE" }) {
  if (bookings.length === 0) return <EmptyState sentence="Nothing is booked: no money was taken, simulated or not." />;
  return (
    <Scrolling label="Bookings">
      <table className="numbers">
        <caption className="pb-1 text-start text-13 text-muted">
          {mode === "TEST" ? "Simulated: these are the TEST books." : "The LIVE books."} Each booking balances.
        </caption>
        <thead>
          <tr>
            <th scope="col">Booking</th>
            <th scope="col">Time</th>
            <th scope="col">Account</th>
            <th scope="col">Debit</th>
            <th scope="col">Credit</th>
          </tr>
        </thead>
        {bookings.map(({ id, kind, at, entries }) => (
          <tbody key={id}>
            {entries.map(({ account, amountPence }, place) => (
              <tr key={account}>
                <th scope="row">
                  {place === 0 ? `${kind} ${id}` : <span className="sr-only">{`${kind} ${id}`}</span>}
                </th>
                <td>{place === 0 ? <Timestamp at={at} form="moment" /> : null}</td>
                <td>{account.replaceAll("_", " ")}</td>
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
