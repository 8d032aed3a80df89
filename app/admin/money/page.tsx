import { EmptyState } from "#components/empty-state.tsx";
import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import { ColumnHeads, Scrolling } from "#components/table.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { type Money, OLD_DAYS, readMoney } from "#lib/admin/page-reads/money.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { AdminPage, adminMetadata, requireAdministrator } from "../admin-page.tsx";
import { MoneyLists } from "./money-lists.tsx";

export const generateMetadata = adminMetadata("Money");

const LEAD =
  "LIVE money: what Stripe has and what is owed, what waits for you, and what the platform earns. Times and months are in UTC.";

export default async function MoneyPage() {
  const { clock } = await requireAdministrator();
  const money = await readMoney(clock.now());
  return (
    <AdminPage at="/admin/money" title="Money" lead={LEAD}>
      {money.live ? (
        <LiveMoney money={money} />
      ) : (
        <EmptyState sentence="There is nothing to see: this installation offers TEST only, and TEST moves no money." />
      )}
    </AdminPage>
  );
}

function LiveMoney({ money }: { money: Money }) {
  return (
    <>
      <Balance money={money} />
      <Part ruled id="held" title="Held transfers">
        <Held money={money} />
      </Part>
      <Part ruled id="brakes" title="Brakes">
        <Brakes brakes={money.brakes} />
      </Part>
      <MoneyLists money={money} />
      <Part ruled id="months" title="Profit by month">
        <Months months={money.months} />
        <p className="mt-3 max-w-measure text-13 text-muted">
          The profit is the platform’s fees less Stripe’s fees, dispute fees, and the refunds and chargebacks that the
          platform bears. The files hold every ledger entry, and every movement of the platform’s balance at Stripe.
        </p>
      </Part>
    </>
  );
}

/** Stripe's balance against what is owed, and against the ledger. */
function Balance({ money: { solvency, balance, payoutProblem, account } }: { money: Money }) {
  if (!solvency)
    return <EmptyState sentence="Stripe’s balance has not been read yet. It is read with the first LIVE payment." />;
  const { availablePence, pendingPence, owedPence, shortfallPence, at } = solvency;
  const isEven = balance?.ledgerPence === balance?.stripePence;
  return (
    <>
      <p className="mb-4 flex max-w-measure items-baseline gap-2 text-17">
        <StateShape shape={shortfallPence > 0 ? "cross" : "disc"} className={shortfallPence > 0 ? "text-danger" : ""} />
        <span className="min-w-0">
          {shortfallPence > 0
            ? `${formatPence(shortfallPence)} of what is owed is missing at Stripe. Add it to the balance, and keep the platform’s payouts on manual.`
            : "Stripe’s balance covers what is owed."}
        </span>
      </p>
      {payoutProblem ? (
        <p className="mb-4 max-w-measure border-caution border-s-2 ps-4">
          {payoutProblem} Set the platform’s payouts to manual, or keep a minimum balance that covers what is owed.
        </p>
      ) : null}
      <Facts>
        <Fact term="Available">{formatPence(availablePence)}</Fact>
        <Fact term="Pending">{formatPence(pendingPence)}</Fact>
        <Fact term="Owed">{formatPence(owedPence)} to providers and requesters</Fact>
        <Fact term="Not owed">{formatPence(Math.max(0, availablePence + pendingPence - owedPence))}</Fact>
        <Fact term="Ledger">
          {!balance
            ? "Not compared yet"
            : isEven
              ? `${formatPence(balance.ledgerPence)}, the same as at Stripe`
              : `${formatPence(balance.ledgerPence)}, but Stripe has ${formatPence(balance.stripePence)}`}
        </Fact>
        {account ? <Fact term="Records of">{account}</Fact> : null}
        <TimeFact term="Read" at={at} />
      </Facts>
    </>
  );
}

function Held({ money: { held, waitingTransfers } }: { money: Money }) {
  return (
    <>
      {held.length === 0 ? (
        <p className="text-muted">No transfer is held.</p>
      ) : (
        <Scrolling label="Held transfers by reason">
          <table className="numbers">
            <ColumnHeads names={["Reason", "Transfers", "Amount", "Oldest", `Over ${OLD_DAYS} days`]} />
            <tbody>
              {held.map(({ reason, detail, count, pence, oldestDays, old }) => (
                <tr key={reason}>
                  <th scope="row" className="whitespace-normal! min-w-48 font-normal">
                    {detail}
                  </th>
                  <td>{count}</td>
                  <td>{formatPence(pence)}</td>
                  <td>{oldestDays === 0 ? "today" : oldestDays === 1 ? "1 day" : `${oldestDays} days`}</td>
                  <td className={old > 0 ? "font-semibold text-caution" : ""}>{old}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
      <p className="mt-3 max-w-measure text-13 text-muted">
        A transfer that several things hold counts under each.{" "}
        {waitingTransfers > 0 ? `${waitingTransfers} more will be sent in a moment. ` : null}
        <Link href="/admin/transfers">All transfers</Link>
      </p>
    </>
  );
}

/** What slows LIVE money down. Each has a variable. */
function Brakes({ brakes }: { brakes: Money["brakes"] }) {
  const { maxPence, transferDays, newProviderDays, delayed, newProviders, heldLong } = brakes;
  const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);
  return (
    <Facts>
      <Fact term="Largest price">
        {formatPence(maxPence)} <code>LIVE_MAX_PENCE</code>
      </Fact>
      <Fact term="Transfers">
        {transferDays === 0 ? "Sent at once" : `Wait ${days(transferDays)} after completion; ${delayed} waiting now`}{" "}
        <code>LIVE_TRANSFER_DELAY_DAYS</code>
      </Fact>
      <Fact term="New providers’ payouts">
        {newProviderDays === 0
          ? "As usual at Stripe"
          : `Wait ${days(newProviderDays)}; ${newProviders === 1 ? "1 account" : `${newProviders} accounts`} now`}{" "}
        <code>LIVE_NEW_PROVIDER_DELAY_DAYS</code>
      </Fact>
      <Fact term="Fraud">Warnings and reviews hold the transfer until they are closed or you decide.</Fact>
      <Fact term="Held over 75 days">
        {heldLong === 0
          ? "Nothing"
          : `${heldLong === 1 ? "1 settlement" : `${heldLong} settlements`}: Stripe holds money for at most 90 days`}
      </Fact>
    </Facts>
  );
}

function Months({ months }: { months: Money["months"] }) {
  const thisMonth = months[0]?.month;
  return (
    <Scrolling label="Fees, costs and profit of the last twelve months">
      <table className="numbers">
        <ColumnHeads
          names={[
            "Month",
            "Fees earned",
            "Stripe’s fees",
            "Dispute fees",
            "Refunds and chargebacks",
            "Profit",
            "CSV files",
          ]}
        />
        <tbody>
          {months.map((each) => (
            <tr key={each.month}>
              <th scope="row" className="whitespace-nowrap font-normal">
                <UserText text={each.month === thisMonth ? `${each.month} so far` : each.month} />
              </th>
              <td>{formatPence(each.feesPence)}</td>
              <td>{formatPence(each.stripeFeesPence)}</td>
              <td>{formatPence(each.disputeFeesPence)}</td>
              <td>{formatPence(each.lossesPence)}</td>
              <td className="font-semibold">{formatPence(each.profitPence)}</td>
              <td>
                <span className="inline-flex gap-4">
                  <a href={`/admin/money/ledger-${each.month}.csv`} download aria-label={`Ledger of ${each.month}`}>
                    ledger
                  </a>
                  <a href={`/admin/money/balance-${each.month}.csv`} download aria-label={`Balance of ${each.month}`}>
                    balance
                  </a>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
