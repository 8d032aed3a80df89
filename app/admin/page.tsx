import Link from "next/link";
import { readWaiting } from "#lib/admin/pages/overview.ts";
import { AdminPage, Part } from "./admin-page.tsx";
import { adminMetadata, requireAdministrator } from "./administrator.ts";

export const generateMetadata = adminMetadata("Administration");

export default async function OverviewPage() {
  await requireAdministrator();
  const waiting = await readWaiting();
  return (
    <AdminPage
      at="/admin"
      title="Administration"
      lead="What waits for a decision, and what one has stopped. Every act here asks for a reason and goes on record."
    >
      <div className="grid gap-x-12 gap-y-10 *:mt-0 lg:grid-cols-2">
        <Part id="waiting" title="Waiting for a decision">
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
              label="Differences between the books and Stripe"
              count={waiting.differences}
            />
            <Line href="/admin/transfers" label="Transfers that are not sent yet" count={waiting.openTransfers} />
            <Line
              href="/admin/events?state=failed"
              label="Events of Stripe’s that failed"
              count={waiting.failedEvents}
            />
            <Line
              href="/admin/jobs?state=failed"
              label="Background jobs that have given up"
              count={waiting.failedJobs}
            />
          </ul>
        </Part>
        <Part id="stopped" title="Stopped by a decision">
          <ul className="border-rule border-t">
            <Line href="/admin/identities?state=suspended" label="Suspended identities" count={waiting.suspended} />
            <Line href="/admin/identities?held=1" label="Held identities" count={waiting.heldIdentities} />
            <Line href="/admin/tasks?held=1" label="Held tasks" count={waiting.heldTasks} />
            <Line href="/admin/identities?risk=high" label="Identities of high risk" count={waiting.highRisk} />
            <Line href="/admin/hosts" label="Hosts that are held or rated" count={waiting.hosts} />
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
      <Link href={href} prefetch={false} className="no-underline after:absolute after:inset-0">
        {label}
      </Link>
      <span className={`tabular-nums ${count > 0 ? "font-semibold" : "text-muted"}`}>
        {count.toLocaleString("en-GB")}
      </span>
    </li>
  );
}
