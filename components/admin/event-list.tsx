import type { RecordedEvent } from "#lib/admin/schema.ts";
import { Link } from "../link.tsx";
import { Timestamp } from "../timestamp/timestamp.tsx";
import { UserText } from "../user-text/user-text.tsx";
import { actionWords, subjectHref } from "./audit-words.ts";
import { datumName, datumSentence, datumWords, isLinked, subjectKindOf } from "./datum-words.ts";

/** Audit entries: what was done, to what, by whom, when and why. */
export function EventList({ events, now }: { events: readonly RecordedEvent[]; now?: Date }) {
  return (
    <ol className="border-ink border-t">
      {events.map((event) => (
        <li key={event.id} className="admin-row border-rule border-b">
          <p className="admin-title">
            {actionWords(event.action)}{" "}
            {actionWords(event.action).toLowerCase().includes(event.subjectKind) ? null : (
              <span className="font-normal text-13">{event.subjectKind.replaceAll("_", " ")} </span>
            )}
            <Named id={event.subjectId} names={event.names} href={subjectHref(event.subjectKind, event.subjectId)} />
          </p>
          <div className="admin-facts">
            <span>
              by <Actor event={event} />
            </span>
            <Data event={event} />
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

/** The current name of what an ID stands for, and the ID next to it. */
function Named({ id, names, href }: { id: string; names: RecordedEvent["names"]; href: string }) {
  const name = Object.hasOwn(names, id) ? names[id] : undefined;
  return (
    <Link href={href} className="font-normal">
      {name ? (
        <>
          <UserText text={shorten(name)} />{" "}
        </>
      ) : null}
      <code className="text-13">{id}</code>
    </Link>
  );
}

/** An entry's further data: `from submitted to completed`, `rule 4`. The administrator's name is shown as the actor. */
function Data({ event: { data, names } }: { event: RecordedEvent }) {
  const { from, to, administrator, ...rest } = data ?? {};
  const isChange = typeof from === "string" && typeof to === "string";
  const shown = Object.entries(isChange ? rest : { from, to, ...rest });
  return (
    <>
      {isChange ? <span>{`from ${datumWords("from", from)} to ${datumWords("to", to)}`}</span> : null}
      {shown.map(([name, value]) =>
        value === null || value === undefined ? null : (
          <span key={name}>
            <Datum name={name} value={value} names={names} />
          </span>
        ),
      )}
    </>
  );
}

/** An ID links to what it names; other values are plain text. */
function Datum({ name, value, names }: { name: string; value: unknown; names: RecordedEvent["names"] }) {
  const sentence = datumSentence(name, value);
  if (sentence) return <UserText text={shorten(sentence)} />;
  const text = datumWords(name, value);
  return (
    <>
      {datumName(name)}{" "}
      {isLinked(name) || Object.hasOwn(names, text) ? (
        <Named id={text} names={names} href={subjectHref(subjectKindOf(name, text), text)} />
      ) : (
        <UserText text={shorten(text)} />
      )}
    </>
  );
}

const MAX_LENGTH = 48;

/** The beginning is enough to tell hashes and the like apart. */
function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
