import { Fragment } from "react";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { readStopped, readWaiting } from "#lib/admin/page-reads/overview.ts";
import { env } from "#lib/kernel/env.ts";
import { readLogs } from "#lib/record/log/read.ts";
import { AdminPage, adminMetadata, requireAdministrator } from "./admin-page.tsx";
import { countWords, shownGroups } from "./places.ts";

export const generateMetadata = adminMetadata("Administration");

export default async function OverviewPage() {
  await requireAdministrator();
  const [waiting, stopped, [log]] = await Promise.all([readWaiting(), readStopped(), readLogs(1)]);
  const groups = shownGroups(waiting, env().stripe !== undefined, "/admin").flatMap(({ name, places }) => {
    const lines = places.flatMap(({ count, ...place }) => (count === undefined ? [] : [{ ...place, count }]));
    return lines.length > 0 ? [{ name, lines }] : [];
  });
  return (
    <AdminPage
      at="/admin"
      title="Administration"
      lead="What needs a decision, and what decisions have stopped. Every act needs a reason and is kept in the audit trail."
    >
      {log?.refusal && !log.isOff ? (
        <p role="alert" className="mb-8 border-danger border-l-4 pl-4">
          <strong>The transparency log has stopped.</strong> {log.refusal} <Link href="/log">About the log</Link>
        </p>
      ) : null}
      <div className="grid gap-x-12 gap-y-10 *:mt-0 lg:grid-cols-2">
        <Part ruled id="waiting" title="Waiting for a decision">
          {groups.map(({ name, lines }) => (
            <Fragment key={name}>
              <h3 className="mt-5 font-sans font-semibold text-13 text-muted first-of-type:mt-0">{name}</h3>
              <ul>
                {lines.map((line) => (
                  <Line key={line.href} {...line} />
                ))}
              </ul>
            </Fragment>
          ))}
        </Part>
        <Part ruled id="stopped" title="Stopped by a decision">
          <ul className="border-rule border-t">
            <Line href="/admin/identities?state=suspended" label="Suspended identities" count={stopped.suspended} />
            <Line href="/admin/identities?held=1" label="Held identities" count={stopped.heldIdentities} />
            <Line href="/admin/tasks?held=1" label="Held tasks" count={stopped.heldTasks} />
            <Line href="/admin/identities?risk=high" label="High-risk identities" count={stopped.highRisk} />
            <Line href="/admin/hosts" label="Hosts with a hold or a risk level" count={stopped.hosts} />
            <Line href="/admin/owners?state=disabled" label="Disabled accounts" count={stopped.disabledOwners} />
          </ul>
        </Part>
      </div>
    </AdminPage>
  );
}

function Line({ href, label, count }: { href: string; label: string; count: number }) {
  return (
    <li className="relative flex items-baseline justify-between gap-4 border-rule border-b py-2 hover:bg-wash">
      <Link href={href} className="no-underline after:absolute after:inset-0">
        {label}
      </Link>
      <span className={`tabular-nums ${count > 0 ? "font-semibold" : "text-muted"}`}>{countWords(count)}</span>
    </li>
  );
}
