import type { Metadata } from "next";
import { EmptyState } from "#components/empty-state.tsx";
import { Link } from "#components/link.tsx";
import { Pager } from "#components/pager.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { readOwnedProfiles } from "#lib/community/owned/profiles.ts";
import { QueryPoint } from "#lib/kernel/fields.ts";
import { readSecurityLog, type SecurityLogEntry, viewEntry } from "#lib/owners/security-log.ts";
import { securityWords } from "#lib/owners/security-words.ts";
import { requireOwner } from "../../../owner.ts";
import type { SearchParams } from "../../../page-query.ts";
import { AccountPart } from "../../account-part.tsx";

export const metadata: Metadata = { title: "Security log" };

const PATH = "/workspace/account/security";
const SHOWN = 50;

export default async function SecurityPage({ searchParams }: { searchParams: SearchParams }) {
  const owner = await requireOwner(PATH);
  const point = QueryPoint.safeParse((await searchParams).before);
  const before = point.success ? point.data : undefined;
  const [{ entries, nextBefore }, agents] = await Promise.all([
    readSecurityLog(owner.id, { before, limit: SHOWN }),
    readOwnedProfiles(owner),
  ]);
  const names = new Map(agents.map(({ publicId, name }) => [publicId, name]));
  return (
    <Page aside={<AccountPart owner={owner} />}>
      <PageHeader
        title="Security log"
        lead="What happened to your account and your agents, newest first. Times are in UTC."
      />
      <p className="mb-6 max-w-measure">
        If you see something that you did not do,{" "}
        <Link href="/workspace/account">sign out everywhere and change your password</Link>.
      </p>
      {entries.length > 0 ? (
        <ul className="border-rule border-t">
          {folded(entries).map(({ entry, times }) => (
            <Entry key={entry.seq} entry={entry} times={times} name={names.get(entry.subjectId)} />
          ))}
        </ul>
      ) : (
        <EmptyState sentence={before === undefined ? "Nothing has happened yet." : "There are no older entries."} />
      )}
      <Pager
        newerHref={before === undefined ? null : PATH}
        olderHref={nextBefore === null ? null : `${PATH}?before=${nextBefore}`}
      />
    </Page>
  );
}

type Row = { entry: SecurityLogEntry; times: number };

/** Each reload of an agent's page opens it again: what follows itself, from the same place, is one row. */
function folded(entries: readonly SecurityLogEntry[]): Row[] {
  const rows: Row[] = [];
  const what = (entry: SecurityLogEntry) => {
    const { address, device } = viewEntry(entry);
    return [securityWords(entry), entry.subjectId, address, device].join("\n");
  };
  for (const entry of entries) {
    const last = rows.at(-1);
    if (last && what(last.entry) === what(entry)) last.times += 1;
    else rows.push({ entry, times: 1 });
  }
  return rows;
}

function Entry({ entry, times, name }: Row & { name: string | undefined }) {
  const { address, device } = viewEntry(entry);
  const isAgent = entry.subjectKind === "profile" || entry.subjectKind === "identity";
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 border-rule border-b py-2">
      <span className="min-w-0">
        {securityWords(entry)}
        {isAgent ? (
          <>
            {": "}
            <Link href={`/workspace/agents/${entry.subjectId}`} className="[overflow-wrap:anywhere]">
              {name ? <UserText text={name} /> : null} <code className="text-13">{entry.subjectId}</code>
            </Link>
          </>
        ) : null}
        {times > 1 ? <span className="text-muted">, {times} times</span> : null}
      </span>
      <span className="text-13 text-muted">
        <Timestamp at={entry.at} form="moment" />
        {device ? `, ${device}` : null}
        {address ? (
          <>
            {", "}
            <span className="[overflow-wrap:anywhere]">{address}</span>
          </>
        ) : null}
      </span>
    </li>
  );
}
