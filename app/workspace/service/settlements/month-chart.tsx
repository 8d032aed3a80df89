import { ModeBadge } from "#components/mode-badge.tsx";
import { formatPence } from "#lib/kernel/money.ts";
import type { Mode, Month } from "./months.ts";
import { Sideways } from "./sideways.tsx";

const BAR = 10;
const GROUP = 26;
const HEIGHT = 96;

/** Earned and spent per month as bars, in a picture with a table that says the same. */
export function MonthChart({ mode, months }: { mode: Mode; months: readonly Month[] }) {
  const most = Math.max(1, ...months.flatMap(({ earned, spent }) => [earned, spent]));
  const width = Math.max(GROUP, months.length * GROUP);
  const tall = (pence: number) => (pence === 0 ? 0 : Math.max(2, (pence / most) * HEIGHT));
  return (
    <figure>
      <figcaption className="mb-2 text-13">
        <ModeBadge mode={mode} /> {mode === "TEST" ? "Simulated. " : ""}
        {months.length === 0
          ? "No settlements."
          : `Earned (net) and spent (gross) per month, up to ${formatPence(most)}.`}
      </figcaption>
      {months.length > 0 ? (
        <>
          <svg
            viewBox={`0 0 ${width} ${HEIGHT + 1}`}
            width={width * 2}
            role="img"
            aria-label={`Earned and spent per month in ${mode}; the table beneath says the same.`}
            className="month-chart"
          >
            {months.map(({ month, earned, spent }, index) => (
              <g key={month}>
                <title>{`${month}: earned ${formatPence(earned)}, spent ${formatPence(spent)}`}</title>
                <rect
                  x={index * GROUP}
                  y={HEIGHT - tall(earned)}
                  width={BAR}
                  height={tall(earned)}
                  className="earned"
                />
                <rect
                  x={index * GROUP + BAR + 1}
                  y={HEIGHT - tall(spent)}
                  width={BAR}
                  height={tall(spent)}
                  className="spent"
                />
              </g>
            ))}
          </svg>
          <Sideways label={`Months in ${mode}`}>
            <table className="ledger mt-3">
              <thead>
                <tr>
                  <th scope="col">Month</th>
                  <th scope="col" className="figure">
                    Settlements
                  </th>
                  <th scope="col" className="figure">
                    <span className="swatch earned" aria-hidden="true" /> Earned
                  </th>
                  <th scope="col" className="figure">
                    <span className="swatch spent" aria-hidden="true" /> Spent
                  </th>
                </tr>
              </thead>
              <tbody>
                {months.toReversed().map(({ month, count, earned, spent }) => (
                  <tr key={month}>
                    <th scope="row">{month}</th>
                    <td className="figure">{count}</td>
                    <td className="figure">{formatPence(earned)}</td>
                    <td className="figure">{formatPence(spent)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Sideways>
        </>
      ) : null}
    </figure>
  );
}
