import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import { Copyable } from "#components/copyable.tsx";
import { Link } from "#components/link.tsx";
import { RehearsalNote } from "#components/mode-badge.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import type { AdminContext } from "#lib/admin/context.ts";
import { readWaiting } from "#lib/admin/page-reads/overview.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { lacksRequiredFactor } from "#lib/owners/sessions/confirmation.ts";
import { currentOwner } from "../owner.ts";
import { type AdminPath, countWords, type ShownGroup, shownGroups } from "./places.ts";

/** A page of the administrators' console. `at` is its place; `within` says that the page is below that place's own page. */
export async function AdminPage({
  at,
  within = false,
  title,
  lead,
  marks,
  id,
  children,
}: {
  at: AdminPath;
  within?: boolean;
  title: ReactNode;
  lead?: ReactNode;
  /** The state of what the page is about, and its ID. */
  marks?: ReactNode;
  id?: { value: string; label: string };
  children: ReactNode;
}) {
  return (
    <Page wide>
      <AdminNavigation
        at={at}
        within={within}
        groups={shownGroups(await readWaiting(), env().stripe !== undefined, at)}
      />
      <PageHeader title={<span className="[overflow-wrap:anywhere]">{title}</span>} lead={lead}>
        {id ? (
          <p className="mt-2 flex flex-wrap items-baseline gap-x-4">
            {marks}
            <Copyable {...id} />
          </p>
        ) : null}
        <RehearsalNote shown={env().stripe?.rehearsal} />
      </PageHeader>
      {children}
    </Page>
  );
}

/**
 * The signed-in administrator. Everyone else gets a 404. Administrators who still need a second factor are redirected to set it up.
 */
export async function requireAdministrator(): Promise<AdminContext> {
  const owner = await currentOwner();
  if (owner?.role !== "administrator") notFound();
  if (lacksRequiredFactor(owner)) redirect("/workspace/account#second-factors");
  const actor = { kind: "administrator" as const, id: owner.id, name: owner.name };
  return { actor, clock: systemClock, requestId: newId("req") };
}

/** Metadata that only administrators see: for everyone else the page is missing, title included. */
export function adminMetadata(title: string): () => Promise<Metadata> {
  return async () => {
    await requireAdministrator();
    return { title, robots: { index: false } };
  };
}

/** The groups of the console, and the pages of the one that is open, each with what waits there. */
function AdminNavigation({ at, within, groups }: { at: AdminPath; within: boolean; groups: readonly ShownGroup[] }) {
  const open = groups.find(({ places }) => places.some(({ href }) => href === at));
  return (
    <nav aria-label="Administration" className="mb-6">
      <ul className="tabs">
        <Tab href="/admin" label="Overview" current={at === "/admin" ? "page" : undefined} />
        {groups.map(({ name, count, places: [first] }) =>
          first ? (
            <Tab
              key={name}
              href={first.href}
              label={name}
              count={count}
              current={open?.name === name ? "true" : undefined}
            />
          ) : null,
        )}
      </ul>
      {open ? (
        <ul className="tabs text-13">
          {open.places.map(({ href, label, count }) => (
            <Tab
              key={href}
              href={href}
              label={label}
              count={count}
              current={href === at ? (within ? "true" : "page") : undefined}
            />
          ))}
        </ul>
      ) : null}
    </nav>
  );
}

function Tab({
  href,
  label,
  count = 0,
  current,
}: {
  href: string;
  label: string;
  count?: number | undefined;
  current: "page" | "true" | undefined;
}) {
  return (
    <li className="flex">
      <Link href={href} aria-current={current} className="tab">
        {label}
        {count > 0 ? (
          <>
            {" "}
            <span className="count">
              {countWords(count)}
              <span className="sr-only"> waiting</span>
            </span>
          </>
        ) : null}
      </Link>
    </li>
  );
}
