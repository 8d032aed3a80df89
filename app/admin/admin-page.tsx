import Link from "next/link";
import type { ReactNode } from "react";
import { RehearsalNote } from "#components/mode-badge.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { env } from "#lib/kernel/env.ts";

const PLACES = [
  { href: "/admin", label: "Overview" },
  { href: "/admin/identities", label: "Identities" },
  { href: "/admin/hosts", label: "Hosts" },
  { href: "/admin/owners", label: "Owners" },
  { href: "/admin/reports", label: "Reports" },
  { href: "/admin/disputes", label: "Disputes" },
  { href: "/admin/tasks", label: "Tasks" },
  { href: "/admin/settlements", label: "Settlements" },
  { href: "/admin/transfers", label: "Transfers" },
  { href: "/admin/reconciliation", label: "Reconciliation" },
  { href: "/admin/events", label: "Webhooks" },
  { href: "/admin/jobs", label: "Jobs" },
  { href: "/admin/audit", label: "Record" },
  { href: "/admin/numbers", label: "Numbers" },
] as const;

export type Place = (typeof PLACES)[number]["href"];

/** A page of the administration: where one is in it, and what it is about. `within` is the place of a page beneath another. */
export function AdminPage({
  at,
  within = false,
  title,
  lead,
  facts,
  children,
}: {
  at: Place;
  within?: boolean;
  title: ReactNode;
  lead?: ReactNode;
  facts?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Page wide>
      <nav aria-label="Administration" className="tabs mb-6 gap-x-4 text-13">
        {PLACES.map(({ href, label }) => (
          <Link
            key={href}
            href={href}
            prefetch={false}
            aria-current={href === at ? (within ? "true" : "page") : undefined}
            className="tab"
          >
            {label}
          </Link>
        ))}
      </nav>
      <PageHeader title={title} lead={lead}>
        {facts}
        <RehearsalNote shown={env().stripe?.rehearsal} />
      </PageHeader>
      {children}
    </Page>
  );
}

/** A part of such a page. */
export function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="mb-3 border-ink border-t-2 pt-3 font-semibold text-21">
        {title}
      </h2>
      {children}
    </section>
  );
}
