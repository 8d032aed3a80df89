import { useEffect, useRef, useState } from "react";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { download, FORMATS, type Format, walkSettlements } from "./export.ts";
import { MonthChart } from "./month-chart.tsx";
import { addUp, inOrder, type Mode, type Month } from "./months.ts";

const MONTHS = 24;

type Work = { what: "chart" | Format; read: number };
type Sums = Record<Mode, Month[]>;

/** All settlements at once: summed by month, or as a file. They are read from the interface, a hundred at a time. */
export function History({ own }: { own: string }) {
  const [work, setWork] = useState<Work | null>(null);
  const [sums, setSums] = useState<Sums | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [said, say] = useState("");
  const going = useRef(false);
  useEffect(
    () => () => {
      going.current = false;
    },
    [],
  );

  async function go(what: Work["what"]) {
    if (going.current) return;
    going.current = true;
    setRefusal(null);
    say("");
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
      () => going.current,
    );
    const isWhole = going.current && !refused;
    going.current = false;
    setWork(null);
    setRefusal(refused);
    if (!isWhole) return;
    setSums({ TEST: inOrder(months.TEST, MONTHS), LIVE: inOrder(months.LIVE, MONTHS) });
    if (what === "chart") return;
    const { head, type } = FORMATS[what];
    download(`settlements-${own}.${what}`, [head, ...lines], type);
    say(`${count.toLocaleString("en-GB")} settlements are in the file.`);
  }

  return (
    <section aria-labelledby="history">
      <h2 id="history" className="font-semibold text-21">
        Over time, and to take away
      </h2>
      <p className="mt-1 max-w-measure">
        All settlements are read, a hundred at a time. Files are made in this tab: amounts are whole pence, times in
        UTC.
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <button type="button" onClick={() => go("chart")} aria-disabled={work !== null || undefined} className="button">
          Chart by month
        </button>
        <button type="button" onClick={() => go("csv")} aria-disabled={work !== null || undefined} className="button">
          CSV file
        </button>
        <button type="button" onClick={() => go("jsonl")} aria-disabled={work !== null || undefined} className="button">
          JSON Lines file
        </button>
        {work ? (
          <button
            type="button"
            onClick={() => {
              going.current = false;
            }}
            className="button"
          >
            Stop
          </button>
        ) : null}
        <p role="status" className="text-13 text-muted">
          {work ? `${work.read.toLocaleString("en-GB")} read…` : said}
        </p>
      </div>
      {refusal ? (
        <div className="mt-4">
          <RefusalNote refusal={refusal} />
        </div>
      ) : null}
      {sums ? (
        <div className="mt-6 space-y-8">
          <MonthChart mode="TEST" months={sums.TEST} />
          <MonthChart mode="LIVE" months={sums.LIVE} />
        </div>
      ) : null}
    </section>
  );
}
