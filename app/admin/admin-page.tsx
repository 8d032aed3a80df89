import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import type { ZodObject, ZodRawShape, ZodType, z } from "zod";
import { RehearsalNote } from "#components/mode-badge.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import type { AdminContext } from "#lib/admin/context.ts";
import { readWaiting } from "#lib/admin/page-reads/overview.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { type IdPrefix, idPattern, newId } from "#lib/kernel/ids.ts";
import { lacksRequiredFactor } from "#lib/owners/sessions/confirmation.ts";
import { currentOwner } from "../owner.ts";
import { type PageQuery, readPageQuery, type SearchParams } from "../page-query.ts";
import { AdminNavigation } from "./admin-navigation.tsx";
import { type AdminPath, shownGroups } from "./places.ts";

/** A page of the administrators' console. `at` is its place; `within` says that the page is below that place's own page. */
export async function AdminPage({
  at,
  within = false,
  title,
  lead,
  facts,
  children,
}: {
  at: AdminPath;
  within?: boolean;
  title: ReactNode;
  lead?: ReactNode;
  facts?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Page wide>
      <AdminNavigation at={at} within={within} groups={shownGroups(await readWaiting(), env().stripe !== undefined)} />
      <PageHeader title={title} lead={lead}>
        {facts}
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

/**
 * The function that loads what one page of the console is about, once for its title and its content. A malformed or unknown ID is a
 * 404, as is every ID for anyone but administrators.
 */
export function loaderOf<Found>(
  kind: IdPrefix | ZodType<string>,
  find: (id: string, ctx: AdminContext) => Promise<Found | null | undefined>,
) {
  const isOfKind = (id: string) => (typeof kind === "string" ? idPattern(kind).test(id) : kind.safeParse(id).success);
  return cache(async (id: string) => {
    const ctx = await requireAdministrator();
    return { ctx, found: (isOfKind(id) ? await find(id, ctx) : undefined) ?? notFound() };
  });
}

/** Metadata that only administrators see: for everyone else the page is missing, title included. */
export function adminMetadata(title: string): () => Promise<Metadata> {
  return async () => {
    await requireAdministrator();
    return { title, robots: { index: false } };
  };
}

export const PAGE_SIZE = 50;

/** Reads the query of an administrator's list. `names` are its filters; the cursor is always one. */
export async function readListQuery<Schema extends ZodObject<ZodRawShape>>(
  schema: Schema,
  searchParams: SearchParams,
  names: readonly string[],
): Promise<PageQuery<z.output<Schema>>> {
  return readPageQuery(schema, await searchParams, [...names, "cursor"], (given) => ({
    ...given,
    limit: String(PAGE_SIZE),
  }));
}
