import { ModeBadge } from "#components/mode-badge.tsx";
import { Scrolling } from "#components/scrolling.tsx";
import type { SettlementPage } from "../task/task-resource.ts";
import { AmountCells, AmountHeads } from "./amounts.tsx";

const MODES = ["TEST", "LIVE"] as const;

/** The sums of each mode, never of both. */
export function Totals({ totals }: { totals: SettlementPage["totals"] }) {
  return (
    <Scrolling label="Totals per mode, without void settlements">
      <table className="ledger mb-6">
        <thead>
          <tr>
            <th scope="col">Mode</th>
            <th scope="col" className="figure">
              Count
            </th>
            <AmountHeads />
          </tr>
        </thead>
        <tbody>
          {MODES.map((mode) => (
            <tr key={mode}>
              <th scope="row">
                <ModeBadge mode={mode} />
                {mode === "TEST" ? <span className="block text-13 text-muted sm:ms-2 sm:inline">simulated</span> : null}
              </th>
              <td className="figure">{totals[mode].count.toLocaleString("en-GB")}</td>
              <AmountCells amounts={totals[mode]} mode={mode} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
