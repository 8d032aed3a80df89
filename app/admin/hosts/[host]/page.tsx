import { z } from "zod";
import { Fact, Facts } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { isOwnSubject } from "#lib/admin/own-subject.ts";
import { listEvents } from "#lib/admin/page-reads/audit.ts";
import { readHost } from "#lib/admin/page-reads/hosts.ts";
import { AuditQuery, HOST_PREFIX, HostSubject } from "#lib/admin/schema.ts";
import { AdminPage } from "../../admin-page.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";
import { HostActs, HostWords } from "../host-decisions.tsx";

async function findHost(name: string) {
  const subject = HostSubject.safeParse(`${HOST_PREFIX}${decodeURIComponent(name)}`);
  if (!subject.success) return undefined;
  return { subject: subject.data, host: await readHost(subject.data.slice(HOST_PREFIX.length)) };
}

const { load, generateMetadata } = subjectPage("host", z.string(), findHost, ({ host }) => `${host.host} · Hosts`);

export { generateMetadata };

export default async function HostPage(props: SubjectProps) {
  const { ctx, found } = await load(props);
  const { subject, host } = found;
  const [{ rows: events }, own] = await Promise.all([
    listEvents(AuditQuery.parse({ subject, limit: "20" })),
    isOwnSubject(ctx, subject),
  ]);
  return (
    <AdminPage at="/admin/hosts" within title={host.host}>
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
      <AuditTrail events={events} empty="No decisions yet." />
    </AdminPage>
  );
}
