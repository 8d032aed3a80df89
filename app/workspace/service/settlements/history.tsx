import { useEffect, useRef, useState } from "react";
import { download } from "#components/download.ts";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { Part } from "#components/part.tsx";
import { FORMATS, type Format, walkSettlements } from "./export.ts";
import { MonthChart } from "./month-chart.tsx";
import { addUp, inOrder, type Mode, type Month } from "./months.ts";

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
        <button type="button" onClick={() => go("chart")} aria-disabled={work !== null || undefined} className="button">
          Show chart by month
        </button>
        <button type="button" onClick={() => go("csv")} aria-disabled={work !== null || undefined} className="button">
          Export CSV
        </button>
        <button type="button" onClick={() => go("jsonl")} aria-disabled={work !== null || undefined} className="button">
          Export JSON Lines
        </button>
        {work ? (
          <button
            type="button"
            onClick={() => {
              isRunning.current = false;
            }}
            className="button"
          >
            Stop
          </button>
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
