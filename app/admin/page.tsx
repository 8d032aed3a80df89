import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { readOverview } from "#lib/admin/page-reads/overview.ts";
import { readLogs } from "#lib/record/log/read.ts";
import { AdminPage, adminMetadata, requireAdministrator } from "./admin-page.tsx";

export const generateMetadata = adminMetadata("Administration");

export default async function OverviewPage() {
  await requireAdministrator();
  const [waiting, [log]] = await Promise.all([readOverview(), readLogs()]);
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
          <ul className="border-rule border-t">
            <Line href="/admin/reports" label="Open reports" count={waiting.reports} />
            <Line href="/admin/disputes" label="Open disputes" count={waiting.disputes} />
            <Line
              href="/admin/identities?leaked=1"
              label="Identities with a leaked management token"
              count={waiting.leakedTokens}
            />
            <Line
              href="/admin/reconciliation"
              label="Differences between the ledger and Stripe"
              count={waiting.differences}
            />
            <Line href="/admin/transfers" label="Transfers not sent yet" count={waiting.openTransfers} />
            <Line href="/admin/events?state=failed" label="Failed Stripe events" count={waiting.failedEvents} />
            <Line href="/admin/jobs?state=failed" label="Failed background jobs" count={waiting.failedJobs} />
          </ul>
        </Part>
        <Part ruled id="stopped" title="Stopped by a decision">
          <ul className="border-rule border-t">
            <Line href="/admin/identities?state=suspended" label="Suspended identities" count={waiting.suspended} />
            <Line href="/admin/identities?held=1" label="Held identities" count={waiting.heldIdentities} />
            <Line href="/admin/tasks?held=1" label="Held tasks" count={waiting.heldTasks} />
            <Line href="/admin/identities?risk=high" label="High-risk identities" count={waiting.highRisk} />
            <Line href="/admin/hosts" label="Hosts with a hold or a risk level" count={waiting.hosts} />
            <Line href="/admin/owners?state=disabled" label="Disabled accounts" count={waiting.disabledOwners} />
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
      <span className={`tabular-nums ${count > 0 ? "font-semibold" : "text-muted"}`}>
        {count.toLocaleString("en-GB")}
      </span>
    </li>
  );
}
