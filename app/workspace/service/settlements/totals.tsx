import { ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import type { SettlementPage } from "../task/task-resource.ts";
import { Sideways } from "./sideways.tsx";

const MODES = ["TEST", "LIVE"] as const;

/** The sums of each mode, never of both. */
export function Totals({ totals }: { totals: SettlementPage["totals"] }) {
  return (
    <Sideways label="Totals per mode, without void settlements">
      <table className="ledger mb-6">
        <thead>
          <tr>
            <th scope="col">Mode</th>
            <th scope="col" className="figure">
              Settlements
            </th>
            <th scope="col" className="figure">
              Gross
            </th>
            <th scope="col" className="figure">
              Fee
            </th>
            <th scope="col" className="figure">
              Net
            </th>
          </tr>
        </thead>
        <tbody>
          {MODES.map((mode) => (
            <tr key={mode}>
              <th scope="row">
                <ModeBadge mode={mode} />{" "}
                {mode === "TEST" ? <span className="text-13 text-muted">simulated</span> : null}
              </th>
              <td className="figure">{totals[mode].count.toLocaleString("en-GB")}</td>
              <td className="figure">
                <Money pence={totals[mode].gross_pence} mode={mode} quiet />
              </td>
              <td className="figure">
                <Money pence={totals[mode].fee_pence} mode={mode} quiet />
              </td>
              <td className="figure">
                <Money pence={totals[mode].net_pence} mode={mode} quiet />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}
