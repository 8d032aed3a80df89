import { ModeBadge } from "#components/mode-badge.tsx";
import { Scrolling } from "#components/scrolling.tsx";
import { formatPence } from "#lib/kernel/money.ts";
import { type Mode, type Month, withEmptyBefore } from "./months.ts";

const MIN_MONTHS = 12;
const BAR = 10;
const GROUP = 26;
const HEIGHT = 96;

const monthName = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });
const nameOf = (month: string) => monthName.format(new Date(`${month}-01T00:00:00Z`));

/** Earned and spent per month as a bar chart, with the same figures in a table. */
export function MonthChart({ mode, months }: { mode: Mode; months: readonly Month[] }) {
  const shown = withEmptyBefore(months, MIN_MONTHS);
  const most = Math.max(1, ...months.flatMap(({ earned, spent }) => [earned, spent]));
  const tall = (pence: number) => (pence === 0 ? 0 : Math.max(2, (pence / most) * HEIGHT));
  return (
    <figure>
      <figcaption className="mb-3 text-13">
        <span className="me-2">
          <ModeBadge mode={mode} />
        </span>
        {mode === "TEST" ? "Simulated. " : ""}
        {months.length === 0
          ? "No settlements."
          : `Earned (net) and spent (gross) per month, up to ${formatPence(most)}.`}
      </figcaption>
      {months.length > 0 ? (
        <>
          <svg
            viewBox={`0 0 ${shown.length * GROUP} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`Earned and spent per month in ${mode}; the table below has the same figures.`}
            className="month-chart"
          >
            {shown.map(({ month, earned, spent }, index) => (
              <g key={month}>
                <title>{`${nameOf(month)}: earned ${formatPence(earned)}, spent ${formatPence(spent)}`}</title>
                <rect
                  x={index * GROUP + 2}
                  y={HEIGHT - tall(earned)}
                  width={BAR}
                  height={tall(earned)}
                  className="earned"
                />
                <rect
                  x={index * GROUP + BAR + 3}
                  y={HEIGHT - tall(spent)}
                  width={BAR}
                  height={tall(spent)}
                  className="spent"
                />
              </g>
            ))}
          </svg>
          <p aria-hidden="true" className="mt-1 flex justify-between text-13 text-muted">
            <span>{nameOf(shown[0]?.month ?? "")}</span>
            <span>{nameOf(shown.at(-1)?.month ?? "")}</span>
          </p>
          <Scrolling label={`Months in ${mode}`}>
            <table className="ledger mt-3">
              <thead>
                <tr>
                  <th scope="col">Month</th>
                  <th scope="col" className="figure">
                    Count
                  </th>
                  <th scope="col" className="figure">
                    <span className="swatch earned me-1" aria-hidden="true" />
                    Earned
                  </th>
                  <th scope="col" className="figure">
                    <span className="swatch spent me-1" aria-hidden="true" />
                    Spent
                  </th>
                </tr>
              </thead>
              <tbody>
                {months.toReversed().map(({ month, count, earned, spent }) => (
                  <tr key={month}>
                    <th scope="row">{nameOf(month)}</th>
                    <td className="figure">{count}</td>
                    <td className="figure">{formatPence(earned)}</td>
                    <td className="figure">{formatPence(spent)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolling>
        </>
      ) : null}
    </figure>
  );
}
