import { useEffect, useRef, useState } from "react";
import { Button } from "#components/button.tsx";
import { download } from "#components/download.ts";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { Part } from "#components/part.tsx";
import { Scrolling } from "#components/table.tsx";
import { formatPence } from "#lib/kernel/money.ts";
import { FORMATS, type Format, walkSettlements } from "./export.ts";
import { addUp, inOrder, type Mode, type Month, withEmptyBefore } from "./months.ts";

const MONTHS = 24;

type Work = { what: "chart" | Format; read: number };
type Sums = Record<Mode, Month[]>;

/** All settlements, summed by month or exported as a file. They are read from the API, a hundred at a time. */
export function History({ own }: { own: string }) {
  const [work, setWork] = useState<Work | null>(null);
  const [sums, setSums] = useState<Sums | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [status, setStatus] = useState("");
  const isRunning = useRef(false);
  useEffect(
    () => () => {
      isRunning.current = false;
    },
    [],
  );

  async function go(what: Work["what"]) {
    if (isRunning.current) return;
    isRunning.current = true;
    setRefusal(null);
    setStatus("");
    setWork({ what, read: 0 });
    const months = { TEST: new Map<string, Month>(), LIVE: new Map<string, Month>() };
    const lines: string[] = [];
    let count = 0;
    const refused = await walkSettlements(
      (page) => {
        count += page.length;
        for (const mode of ["TEST", "LIVE"] as const) addUp(months[mode], page, mode, own);
        if (what !== "chart") lines.push(page.map(FORMATS[what].line).join(""));
        setWork({ what, read: count });
      },
      () => isRunning.current,
    );
    const isWhole = isRunning.current && !refused;
    isRunning.current = false;
    setWork(null);
    setRefusal(refused);
    if (!isWhole) return;
    setSums({ TEST: inOrder(months.TEST, MONTHS), LIVE: inOrder(months.LIVE, MONTHS) });
    if (what === "chart") return;
    const { head, type } = FORMATS[what];
    download(`settlements-${own}.${what}`, [head, ...lines], type);
    setStatus(`Exported ${count.toLocaleString("en-GB")} settlements.`);
  }

  return (
    <Part id="history" title="History and export" className="">
      <p className="mt-1 max-w-measure">
        Charts and files cover all settlements. Files are made in this tab; amounts are in pence, times in UTC.
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button onClick={() => go("chart")} pending={work !== null}>
          Show chart by month
        </Button>
        <Button onClick={() => go("csv")} pending={work !== null}>
          Export CSV
        </Button>
        <Button onClick={() => go("jsonl")} pending={work !== null}>
          Export JSON Lines
        </Button>
        {work ? (
          <Button
            onClick={() => {
              isRunning.current = false;
            }}
          >
            Stop
          </Button>
        ) : null}
        <p role="status" className="text-13 text-muted">
          {work ? `${work.read.toLocaleString("en-GB")} read…` : status}
        </p>
      </div>
      <RefusalNote refusal={refusal} className="mt-4" />
      {sums ? (
        <div className="mt-6 space-y-8">
          <MonthChart mode="TEST" months={sums.TEST} />
          <MonthChart mode="LIVE" months={sums.LIVE} />
        </div>
      ) : null}
    </Part>
  );
}

const MIN_MONTHS = 12;
const BAR = 10;
const GROUP = 26;
const HEIGHT = 96;

const monthName = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });
const nameOf = (month: string) => monthName.format(new Date(`${month}-01T00:00:00Z`));

/** Earned and spent per month as a bar chart, with the same figures in a table. */
function MonthChart({ mode, months }: { mode: Mode; months: readonly Month[] }) {
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
