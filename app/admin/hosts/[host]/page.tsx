import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { EventList } from "#components/admin/event-list.tsx";
import { EmptyState } from "#components/empty-state.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { isOwnSubject } from "#lib/admin/own-subject.ts";
import { listEvents } from "#lib/admin/page-reads/audit.ts";
import { readHost } from "#lib/admin/page-reads/hosts.ts";
import { AuditQuery, HOST_PREFIX, HostSubject } from "#lib/admin/schema.ts";
import { AdminPage, requireAdministrator } from "../../admin-page.tsx";
import { HostActs, HostWords } from "../host-decisions.tsx";

type Props = { params: Promise<{ host: string }> };

const load = cache(async (name: string) => {
  const ctx = await requireAdministrator();
  const subject = HostSubject.safeParse(`${HOST_PREFIX}${decodeURIComponent(name)}`);
  if (!subject.success) notFound();
  return { ctx, subject: subject.data, host: await readHost(subject.data.slice(HOST_PREFIX.length)) };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { host } = await load((await params).host);
  return { title: `${host.host} · Hosts`, robots: { index: false } };
}

export default async function HostPage({ params }: Props) {
  const { ctx, subject, host } = await load((await params).host);
  const [{ events }, own] = await Promise.all([
    listEvents(AuditQuery.parse({ subject, limit: "20" })),
    isOwnSubject(ctx, subject),
  ]);
  return (
    <AdminPage at="/admin/hosts" within title={<span className="[overflow-wrap:anywhere]">{host.host}</span>}>
      <Facts>
        <Fact term="Decision">
          <HostWords host={host} />
        </Fact>
        <Fact term="Identities">
          {host.identities} in all, {host.suspended} suspended{" "}
          {host.identities > 0 ? (
            <Link href={`/admin/identities?${new URLSearchParams({ q: subject })}`} className="text-13">
              All identities on this host
            </Link>
          ) : null}
        </Fact>
      </Facts>
      <Part ruled id="acts" title="Decisions">
        <HostActs host={host} own={own} />
      </Part>
      <Part ruled id="record" title="Audit trail">
        {events.length > 0 ? <EventList events={events} /> : <EmptyState sentence="No decisions yet." />}
      </Part>
    </AdminPage>
  );
}
