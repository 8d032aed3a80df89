import type { RecordedEvent } from "#lib/admin/schema.ts";
import { Link } from "../link.tsx";
import { Timestamp } from "../timestamp/timestamp.tsx";
import { UserText } from "../user-text/user-text.tsx";
import { actionWords, subjectHref } from "./audit-words.ts";
import { datumName, datumWords, isLinked } from "./datum-words.ts";

/** Audit entries: what was done, to what, by whom, when and why. */
export function EventList({ events, now }: { events: readonly RecordedEvent[]; now?: Date }) {
  return (
    <ol className="border-ink border-t">
      {events.map((event) => (
        <li key={event.id} className="admin-row border-rule border-b">
          <p className="admin-title">
            {actionWords(event.action)}{" "}
            <Link href={subjectHref(event.subjectKind, event.subjectId)} className="font-normal">
              <span className="text-13">{event.subjectKind}</span> <code>{event.subjectId}</code>
            </Link>
          </p>
          <div className="admin-facts">
            <span>
              by <Actor event={event} />
            </span>
            <Data data={event.data} />
            {event.reason ? (
              <p className="w-full max-w-measure whitespace-pre-line text-15 text-ink">
                “<UserText text={event.reason} />”
              </p>
            ) : null}
          </div>
          <p className="admin-marks text-muted">
            <Timestamp at={event.at} form="moment" now={now} />
          </p>
        </li>
      ))}
    </ol>
  );
}

function Actor({ event: { actorKind, actorId, actorName } }: { event: RecordedEvent }) {
  const name = actorName ?? actorId;
  if (actorKind === "system" || actorKind === "visitor") return actorKind === "system" ? "the service" : "a visitor";
  return (
    <>
      <Link href={`/admin/audit?${new URLSearchParams({ actor: actorId })}`}>
        <UserText text={name} />
      </Link>
      {actorKind === "administrator" ? ", administrator" : actorKind === "owner" ? ", owner" : null}
    </>
  );
}

/** An entry's further data: `from submitted · to completed`. The administrator's name is shown as the actor. */
function Data({ data }: { data: Record<string, unknown> | null }) {
  const { from, to, administrator, ...rest } = data ?? {};
  const shown = Object.entries({ from, to, ...rest }).filter(([, value]) => value !== null && value !== undefined);
  return shown.map(([key, value]) => (
    <span key={key}>
      {datumName(key)} <Datum name={key} value={value} />
    </span>
  ));
}

/** An ID links to what it names; other values are plain text. */
function Datum({ name, value }: { name: string; value: unknown }) {
  const text = datumWords(name, value);
  if (isLinked(name))
    return (
      <Link href={subjectHref(datumName(name), text)}>
        <code>{text}</code>
      </Link>
    );
  return <UserText text={shorten(text)} />;
}

const MAX_LENGTH = 48;

/** The beginning is enough to tell hashes and the like apart. */
function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
