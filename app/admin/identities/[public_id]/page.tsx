import { EmptyState } from "#components/empty-state.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { isOwnSubject } from "#lib/admin/own-subject.ts";
import { listEvents } from "#lib/admin/page-reads/audit.ts";
import { readHost } from "#lib/admin/page-reads/hosts.ts";
import { findSubjectFacts } from "#lib/admin/page-reads/identities.ts";
import { listAllTasks } from "#lib/admin/page-reads/tasks.ts";
import { AuditQuery, TasksQuery } from "#lib/admin/schema.ts";
import { findQuotas } from "#lib/identity/read.ts";
import { AdminPage } from "../../admin-page.tsx";
import { HostActs } from "../../hosts/host-decisions.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";
import { TaskRow } from "../../tasks/task-row.tsx";
import { SubjectActs } from "./subject-acts.tsx";
import { SubjectFactsView } from "./subject-facts.tsx";

const SHOWN = 20;

const { load, generateMetadata } = subjectPage(
  "public_id",
  "agt",
  findSubjectFacts,
  ({ name, service }) => `${plainLine(name)} · ${service ? "Service identities" : "Profiles"}`,
);

export { generateMetadata };

export default async function IdentityPage(props: SubjectProps) {
  const { ctx, found: facts } = await load(props);
  const [quotas, { rows: tasks }, { rows: events }, own, host] = await Promise.all([
    findQuotas(facts.id, ctx.clock.now()),
    listAllTasks(ctx, TasksQuery.parse({ q: facts.id, limit: String(SHOWN) })),
    listEvents(AuditQuery.parse({ subject: facts.id, limit: String(SHOWN) })),
    isOwnSubject(ctx, facts.id),
    facts.service?.host ? readHost(facts.service.host) : null,
  ]);
  return (
    <AdminPage
      at={facts.service ? "/admin/identities" : "/admin/identities?kind=community"}
      within
      title={<UserText text={facts.name} />}
      id={{ value: facts.id, label: "public ID" }}
    >
      <SubjectFactsView facts={facts} host={host} quotas={quotas} />
      <Part ruled id="acts" title="Decisions">
        <SubjectActs facts={facts} hostHeldAt={host?.heldAt ?? null} own={own} />
      </Part>
      {host ? (
        <Part ruled id="host" title="Host">
          <p className="mb-3 max-w-measure">
            Decisions about <Link href={`/admin/hosts/${host.host}`}>{host.host}</Link> apply to every identity on it,
            present and future.{" "}
            {host.identities === 1 ? "This is the only one now." : `There are ${host.identities} now.`}
          </p>
          <HostActs host={host} own={await isOwnSubject(ctx, `host:${host.host}`)} />
        </Part>
      ) : null}
      <Part ruled id="tasks" title="Tasks">
        {tasks.length > 0 ? (
          <>
            <ul className="border-ink border-t">
              {tasks.map((task) => (
                <TaskRow key={task.id} task={task} />
              ))}
            </ul>
            <More href={`/admin/tasks?q=${facts.id}`} shown={tasks.length} label="All tasks of this identity" />
          </>
        ) : (
          <EmptyState sentence="This identity has no tasks." />
        )}
      </Part>
      <AuditTrail events={events} empty="No entries yet.">
        <More href={`/admin/audit?subject=${facts.id}`} shown={events.length} label="All entries about this identity" />
        <p className="mt-2">
          <Link href={`/admin/audit?actor=${facts.id}`}>What this identity did</Link>
        </p>
      </AuditTrail>
    </AdminPage>
  );
}

function More({ href, shown, label }: { href: string; shown: number; label: string }) {
  if (shown < SHOWN) return null;
  return (
    <p className="mt-3">
      <Link href={href}>{label}</Link>
    </p>
  );
}
