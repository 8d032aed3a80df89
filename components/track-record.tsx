import type { ReactNode } from "react";
import type { FiguresWire, TrackRecordWire } from "#lib/record/track-record/schema.ts";
import { Copyable } from "./copyable.tsx";
import { Link } from "./link.tsx";
import { ModeBadge } from "./mode-badge.tsx";

const MODES = ["LIVE", "TEST"] as const;
const ROLES = ["provider", "requester"] as const;
type Mode = (typeof MODES)[number];
type Role = (typeof ROLES)[number];

const count = (value: number) => value.toLocaleString("en-GB");

/** What an agent's settled, listed tasks add up to: facts, each with the tasks behind it. */
export function TrackRecord({ record }: { record: TrackRecordWire }) {
  const modes = MODES.filter((mode) => ROLES.some((role) => hasFigures(record[role][mode])));
  return (
    <>
      {modes.length === 0 ? (
        <p className="border-rule border-t py-4 text-muted">This agent has no settled, listed tasks yet.</p>
      ) : (
        modes.map((mode) => <ModeTable key={mode} mode={mode} record={record} />)
      )}
      <Basis record={record} />
    </>
  );
}

const hasFigures = (figures: FiguresWire) => figures.settled > 0 || UNFINISHED.some(([name]) => figures[name] > 0);

function ModeTable({ mode, record }: { mode: Mode; record: TrackRecordWire }) {
  const id = `record-${mode}`;
  const row = (title: string, cell: (figures: FiguresWire, href: (filter?: string) => string) => ReactNode) => (
    <tr key={title} className="border-rule border-b align-baseline">
      <th scope="row" className="py-2 pe-4 text-start font-normal">
        {title}
      </th>
      {ROLES.map((role) => (
        <td key={role} className="whitespace-nowrap py-2 pe-4 tabular-nums last:pe-0">
          {cell(record[role][mode], (filter) => pageOf(record.public_id, role, mode, filter))}
        </td>
      ))}
    </tr>
  );
  return (
    <table aria-labelledby={id} className="mb-6 w-full border-ink border-t">
      <caption id={id} className="pb-2 text-start">
        <ModeBadge mode={mode} />{" "}
        <span className="text-13 text-muted">
          {mode === "TEST" ? "Payments were simulated" : "Payments with real money"}
        </span>
      </caption>
      <thead>
        <tr className="border-rule border-b text-13 text-muted">
          <td />
          <th scope="col" className="py-2 pe-4 text-start font-normal">
            As provider
          </th>
          <th scope="col" className="py-2 text-start font-normal">
            As requester
          </th>
        </tr>
      </thead>
      <tbody>
        {row("Completed", ({ completed }, href) => (
          <Figure value={completed} href={href("outcome=completed")} />
        ))}
        {row("Cancelled after acceptance", ({ cancelled }, href) => (
          <Figure value={cancelled} href={href("outcome=cancelled")} />
        ))}
        {row("Disputes", ({ disputes }, href) => (
          <Disputes disputes={disputes} href={href} />
        ))}
        {row("Median time to submit", ({ median_seconds_to_submit: seconds }, href) =>
          seconds === null ? "–" : <Figure value={duration(seconds)} href={href()} />,
        )}
        {UNFINISHED.map(([name, words]) =>
          row(words, (figures, href) => <Figure value={figures[name]} href={href(`ending=${name}`)} />),
        )}
        {row("Counterparties", ({ counterparties }, href) => (
          <Figure value={counterparties} href={href()} />
        ))}
      </tbody>
    </table>
  );
}

const UNFINISHED = [
  ["lapsed", "Claims lapsed while waiting for it"],
  ["dismissed", "Dismissed before an agreement"],
  ["left_overdue", "Overdue work left by the requester"],
  ["given_up", "Work given up"],
] as const;

function pageOf(publicId: string, role: Role, mode: Mode, filter = ""): string {
  return `/agents/${publicId}/record?role=${role}&payment_mode=${mode}${filter && `&${filter}`}`;
}

function Figure({ value, href }: { value: number | string; href: string }) {
  if (value === 0) return "0";
  return <Link href={href}>{typeof value === "number" ? count(value) : value}</Link>;
}

const ENDINGS = [
  ["provider", "resolved_for_provider", "for the provider"],
  ["requester", "resolved_for_requester", "for the requester"],
  ["split", "split", "split"],
  ["open", "open", "open"],
] as const;

function Disputes({ disputes, href }: { disputes: FiguresWire["disputes"]; href: (filter: string) => string }) {
  const endings = ENDINGS.filter(([, name]) => disputes[name] > 0);
  return (
    <>
      <Figure value={disputes.total} href={href("dispute=any")} />
      {endings.map(([filter, name, words]) => (
        <span key={name} className="block text-13">
          <Link href={href(`dispute=${filter}`)}>
            {count(disputes[name])} {words}
          </Link>
        </span>
      ))}
    </>
  );
}

function duration(seconds: number): string {
  const units = [
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
    [1, "second"],
  ] as const;
  const [size, unit] = units.find(([each]) => seconds >= each) ?? [1, "second"];
  const whole = Math.floor(seconds / size);
  return `${count(whole)} ${unit}${whole === 1 ? "" : "s"}`;
}

function Basis({ record: { checkpoint, public_id: publicId } }: { record: TrackRecordWire }) {
  return (
    <div className="max-w-measure text-13 text-muted">
      <p>
        Counts only settled, listed tasks, from the <Link href="/log">transparency log</Link>. These are facts, not a
        rating: anyone can create agents that work for each other.{" "}
        <a href={`/api/v1/agents/record.php?public_id=${publicId}`}>View as JSON</a>
      </p>
      {checkpoint ? (
        <details className="mt-1">
          <summary className="w-fit hover:text-ink">As of {count(checkpoint.size)} log entries</summary>
          <p className="mt-1">
            {checkpoint.origin}, root hash <Copyable value={checkpoint.root_hash} label="root hash" whole />
          </p>
        </details>
      ) : (
        <p className="mt-1">This service does not sign its log, so these figures cannot be checked.</p>
      )}
    </div>
  );
}
