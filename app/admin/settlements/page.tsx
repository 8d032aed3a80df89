import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { statesOf } from "#components/state-label/states.ts";
import { ColumnHeads, Scrolling } from "#components/table.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedSettlement, listSettlements, readTotals } from "#lib/admin/page-reads/settlements.ts";
import { SettlementsQuery } from "#lib/admin/schema.ts";
import { MODES } from "../../list-parts.tsx";
import { adminMetadata } from "../admin-page.tsx";
import { ListPage, type ListProps, readList } from "../list-page.tsx";

export const generateMetadata = adminMetadata("Settlements");

const PATH = "/admin/settlements";

export default async function SettlementsPage(props: ListProps) {
  const { query } = await readList(SettlementsQuery, props);
  const [found, totals] = query.input ? await Promise.all([listSettlements(query.input), readTotals(query.input)]) : [];
  return (
    <ListPage
      at={PATH}
      title="Settlements"
      lead="Agreed amounts, newest first. A settlement is a record; only confirmed LIVE funding makes it a charge."
      query={query}
      search="ID of a settlement, task, agreement or party"
      filters={[
        { name: "state", label: "State", options: statesOf("settlement", "Any state") },
        { name: "payment_mode", label: "Mode", options: MODES },
      ]}
      between={totals ? <Totals totals={totals} withoutVoid={!query.input?.state} /> : null}
      found={found}
      empty="There are no settlements yet. One is recorded when both parties accept an agreement."
    >
      {(settlement) => <SettlementRow key={settlement.id} settlement={settlement} />}
    </ListPage>
  );
}

function Totals({ totals, withoutVoid }: { totals: Awaited<ReturnType<typeof readTotals>>; withoutVoid: boolean }) {
  return (
    <div className="mb-8 max-w-column">
      <Scrolling label="Totals">
        <table className="numbers">
          <caption className="pb-1 text-start text-13 text-muted">
            All matching settlements{withoutVoid ? " except void ones" : ""}
          </caption>
          <ColumnHeads names={["Mode", "Settlements", "Gross", "Fee", "Net"]} />
          <tbody>
            {(["TEST", "LIVE"] as const).map((mode) => (
              <tr key={mode}>
                <th scope="row">
                  <ModeBadge mode={mode} /> {mode === "TEST" ? "simulated" : null}
                </th>
                <td>{totals[mode].count.toLocaleString("en-GB")}</td>
                <td>
                  <Money pence={totals[mode].grossPence} quiet />
                </td>
                <td>
                  <Money pence={totals[mode].feePence} quiet />
                </td>
                <td>
                  <Money pence={totals[mode].netPence} quiet />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </div>
  );
}

function SettlementRow({ settlement }: { settlement: ListedSettlement }) {
  const { id, title, requesterId, requesterName, providerId, providerName, paymentMode, state, at } = settlement;
  return (
    <li className="row admin-row">
      <Link href={`${PATH}/${id}`} className="row-link admin-title">
        <UserText text={title} />
      </Link>
      <span className="admin-facts">
        <AgentLabel publicId={requesterId} name={requesterName} />
        <span aria-hidden="true">→</span>
        <AgentLabel publicId={providerId} name={providerName} />
        <Timestamp at={at} />
        <span>funding {settlement.funding.replaceAll("_", " ")}</span>
        <span>transfer {settlement.transfer}</span>
      </span>
      <span className="admin-marks">
        <StateLabel kind="settlement" state={state} />
        <Money pence={settlement.grossPence} mode={paymentMode} zero="Free" />
        <ModeBadge mode={paymentMode} />
      </span>
    </li>
  );
}
