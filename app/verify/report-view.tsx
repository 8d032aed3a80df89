import { createElement, Fragment, type ReactNode } from "react";
import { Fact, Facts } from "#components/facts.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import type { Shape } from "#components/state-label/states.ts";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { formatPence } from "#lib/kernel/money.ts";
import type { Report, StatementLine, Verdict } from "#sdk/verify/report.ts";

type Look = { title: string; shape: Shape; tone: string };

const VERDICTS: Record<Verdict, Look> = {
  proved: { title: "Proved", shape: "disc", tone: "text-accent" },
  consistent: { title: "Consistent only", shape: "ring", tone: "text-caution" },
  broken: { title: "Broken", shape: "cross", tone: "text-danger" },
  unreadable: { title: "Unreadable", shape: "cross", tone: "text-danger" },
};

const STATES: Record<StatementLine["state"], Look> = {
  in_log: { title: "Good: in the log", shape: "disc", tone: "text-accent" },
  waiting: { title: "Not in a checkpoint yet", shape: "ring", tone: "text-caution" },
  erased: { title: "In the log; erased or withheld", shape: "dash", tone: "text-muted" },
  broken: { title: "Broken: changed, or its proof does not hold", shape: "cross", tone: "text-danger" },
};

const FILE_STATES: Record<Report["files"][number]["state"], string> = {
  matches: "your file is the same",
  differs: "your file is another one",
  unchecked: "not compared",
};

/** What this service says about a task, where the reader came from its page. It is not in the file, so the file does not prove it. */
export type Known = { taskId: string; title: string; requester: string; provider: string | null };

/** The most lines that are shown of one list: a file that someone made may have hundreds of thousands, which would stop the browser. */
const MOST_SHOWN = 1_000;

/** A certificate of what a file proves, what the platform only asserts, and what the file cannot show. */
export function ReportView({
  name,
  report,
  known,
}: {
  name: string;
  report: Report | { problem: string };
  known?: Known | undefined;
}) {
  if ("problem" in report)
    return <Head name={name} title="Not verified" shape="cross" tone="text-danger" summary={report.problem} />;
  const about = known?.taskId === report.chain ? known : undefined;
  const names = namesIn(report, about);
  return (
    <article className="certificate">
      <Head name={name} {...VERDICTS[report.verdict]} summary={report.summary}>
        {about ? (
          <p className="font-semibold font-serif text-21">
            <UserText text={about.title} />
          </p>
        ) : null}
      </Head>
      <Deal report={report} known={about} />
      <List title="What is wrong" items={report.problems} />
      {report.statements.length > 0 ? (
        <section className="mt-8">
          <h3 className="font-semibold text-17">Entries</h3>
          <ol className="mt-2 border-ink border-t">
            {report.statements.slice(0, MOST_SHOWN).map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a broken file may number two entries alike
              <Entry key={index} line={line} names={names} />
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
      <Cryptography report={report} />
    </article>
  );
}

function Head({
  name,
  title,
  shape,
  tone,
  summary,
  children,
}: Look & { name: string; summary: string; children?: ReactNode }) {
  return (
    <header>
      <h2 className={`stamp ${tone}`}>
        <StateShape shape={shape} />
        {title}
      </h2>
      {children}
      <p className="mt-2 max-w-measure text-17">{summary}</p>
      <p className="mt-1 text-13 text-muted">{name}</p>
    </header>
  );
}

/** Who dealt with whom about how much. Names are only known for a task of this service. */
function Deal({ report: { deal, chain, verdict }, known }: { report: Report; known: Known | undefined }) {
  if (!deal || !chain || verdict === "unreadable") return null;
  const { requester, provider, amount_pence: pence, payment_mode: mode } = deal;
  return (
    <div className="mt-6">
      <Facts>
        <Fact term="Task">
          <code>{chain}</code>
        </Fact>
        <Fact term="Requester">
          <Party id={requester} name={known?.requester} />
        </Fact>
        <Fact term="Provider">
          <Party id={provider} name={known?.provider} />
        </Fact>
        <Fact term="Sum">
          {pence === null ? "Nothing agreed yet" : formatPence(pence)}
          {mode === "TEST" ? " simulated " : " "}
          {mode === "TEST" || mode === "LIVE" ? <ModeBadge mode={mode} /> : null}
        </Fact>
      </Facts>
      {known ? (
        <p className="mt-1 text-13 text-muted">
          Title and names are what this service says now: the file has the IDs alone.
        </p>
      ) : null}
    </div>
  );
}

function Party({ id, name }: { id: string | null; name: string | null | undefined }) {
  if (id === null) return "Nobody yet";
  return (
    <>
      {name ? (
        <>
          <UserText text={name} />{" "}
        </>
      ) : null}
      <code className={name ? "text-13 text-muted" : undefined}>{id}</code>
    </>
  );
}

/** The names of the parties by their IDs. */
function namesIn({ deal }: Report, known: Known | undefined): ReadonlyMap<string, string> {
  const pairs =
    known && deal ? [[deal.requester, known.requester] as const, [deal.provider, known.provider] as const] : [];
  return new Map(pairs.flatMap(([id, name]) => (id && name ? [[id, name]] : [])));
}

const PUBLIC_ID = /(agt_[1-9A-HJ-NP-Za-km-z]{22})/;

/** Words in which the parties have their names, and their IDs on hover. */
function named(words: string, names: ReadonlyMap<string, string>): ReactNode {
  const parts = words.split(PUBLIC_ID).map((part) => {
    const name = names.get(part);
    return name ? createElement("span", { title: part }, <UserText text={name} />) : part;
  });
  return createElement(Fragment, null, ...parts);
}

function Entry({ line: { words, at, state }, names }: { line: StatementLine; names: ReadonlyMap<string, string> }) {
  const { title, shape, tone } = STATES[state];
  return (
    <li className="flex gap-3 border-rule border-b py-2">
      <span className={`pt-1.5 ${tone}`}>
        <StateShape shape={shape} />
      </span>
      <span className="min-w-0">
        {named(words, names)}
        <span className="block text-13 text-muted">
          <span className={state === "broken" ? "font-semibold text-danger" : undefined}>{title}</span>
          {at ? (
            <>
              {" · "}
              {Number.isNaN(Date.parse(at)) ? at : <Timestamp at={at} form="exact" />}
            </>
          ) : null}
        </span>
      </span>
    </li>
  );
}

/** For those who know what it is: which log and key, and how large its tree was. */
function Cryptography({ report: { log, tree_size: size, chain } }: { report: Report }) {
  if (!log) return null;
  return (
    <details className="mt-8">
      <summary className="font-semibold">Log, key and tree</summary>
      <Facts className="mt-3">
        <Fact term="Log">{log.origin}</Fact>
        <Fact term="Key in the file">
          <code>{log.vkey ?? "none: nothing was signed yet"}</code>
        </Fact>
        <Fact term="Checked with">{log.key_given ? "the key that you gave" : "the key in the file itself"}</Fact>
        <Fact term="Tree">
          {size === null ? "no checkpoint" : `${size.toLocaleString("en-GB")} entries in the signed tree`}
        </Fact>
        <Fact term="Chain">
          <code>{chain}</code>
        </Fact>
      </Facts>
    </details>
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
