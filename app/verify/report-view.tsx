import { StateShape } from "#components/state-label/state-shape.tsx";
import type { Report, StatementLine, Verdict } from "#sdk/verify/report.ts";

const VERDICTS: Record<Verdict, { title: string; shape: "disc" | "ring" | "cross"; tone: string }> = {
  proved: { title: "Proved", shape: "disc", tone: "text-accent" },
  consistent: { title: "Consistent only", shape: "ring", tone: "text-caution" },
  broken: { title: "Broken", shape: "cross", tone: "text-danger" },
  unreadable: { title: "Unreadable", shape: "cross", tone: "text-danger" },
};

const STATES: Record<StatementLine["state"], string> = {
  in_log: "in the log",
  waiting: "not in a checkpoint yet",
  erased: "erased or withheld",
};

const FILE_STATES: Record<Report["files"][number]["state"], string> = {
  matches: "your file is the same",
  differs: "your file is another one",
  unchecked: "not compared",
};

/** The most lines that are shown of one list: a file that someone made may have hundreds of thousands, which would stop the browser. */
const MOST_SHOWN = 1_000;

/** What a file proves, what the platform only asserts, and what the file cannot show. */
export function ReportView({ name, report }: { name: string; report: Report | { problem: string } }) {
  if ("problem" in report) {
    return <Title name={name} title="Not verified" shape="cross" tone="text-danger" summary={report.problem} />;
  }
  return (
    <article className="[overflow-wrap:anywhere]">
      <Title name={name} {...VERDICTS[report.verdict]} summary={report.summary} />
      <List title="What is wrong" items={report.problems} />
      {report.statements.length > 0 ? (
        <section className="mt-8">
          <h3 className="font-semibold text-17">Entries</h3>
          <ol className="mt-2 list-decimal space-y-1 ps-6">
            {report.statements.slice(0, MOST_SHOWN).map(({ words, at, state }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a broken file may number two entries alike
              <li key={index}>
                {words}
                <span className="block text-13 text-muted">
                  {at ? `${at} · ` : ""}
                  {STATES[state]}
                </span>
              </li>
            ))}
          </ol>
          <Rest of={report.statements} />
        </section>
      ) : null}
      <List
        title="Files"
        items={report.files.map(
          ({ name, size, sha256, purpose, state }) =>
            `${name} (${purpose}), ${size.toLocaleString("en-GB")} bytes, ${sha256}: ${FILE_STATES[state]}`,
        )}
      />
      <List title="Proved" items={report.proved} />
      <List title="Asserted" items={report.asserted} />
      <List title="Not proved" items={report.not_proved} />
    </article>
  );
}

type Named = { name: string; title: string; shape: "disc" | "ring" | "cross"; tone: string; summary: string };

function Title({ name, title, shape, tone, summary }: Named) {
  return (
    <header>
      <h2 className="flex items-baseline gap-2 font-semibold text-21">
        <StateShape shape={shape} className={tone} />
        {title}
      </h2>
      <p className="mt-1">{summary}</p>
      <p className="mt-1 text-13 text-muted">{name}</p>
    </header>
  );
}

function List({ title, items }: { title: string; items: string[] }) {
  if (items.length === 0) return null;
  return (
    <section className="mt-8">
      <h3 className="font-semibold text-17">{title}</h3>
      <ul className="mt-2 list-disc space-y-1 ps-6">
        {items.slice(0, MOST_SHOWN).map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same
          <li key={index}>{item}</li>
        ))}
      </ul>
      <Rest of={items} />
    </section>
  );
}

function Rest({ of: lines }: { of: readonly unknown[] }) {
  const more = lines.length - MOST_SHOWN;
  return more > 0 ? (
    <p className="mt-2 text-13 text-muted">{more.toLocaleString("en-GB")} more are not shown.</p>
  ) : null;
}
