import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache, type ReactNode } from "react";
import type { ZodType } from "zod";
import { EventList } from "#components/admin/event-list.tsx";
import { EmptyState } from "#components/empty-state.tsx";
import { Part } from "#components/part.tsx";
import type { AdminContext } from "#lib/admin/context.ts";
import type { RecordedEvent } from "#lib/admin/schema.ts";
import { type IdPrefix, idPattern } from "#lib/kernel/ids.ts";
import { requireAdministrator } from "./admin-page.tsx";

export type SubjectProps = { params: Promise<Record<string, string>> };

/**
 * What a page about one thing reads, once for its title and its content. A malformed or unknown ID is a 404, as is every ID for anyone
 * but administrators.
 * @param parameter the part of the route that is the ID, which is of this kind
 */
export function subjectPage<Found>(
  parameter: string,
  kind: IdPrefix | ZodType<string>,
  find: (id: string, ctx: AdminContext) => Promise<Found | null | undefined>,
  titleOf: (found: Found, id: string) => string,
) {
  const isOfKind = (id: string) => (typeof kind === "string" ? idPattern(kind).test(id) : kind.safeParse(id).success);
  const read = cache(async (id: string) => {
    const ctx = await requireAdministrator();
    return { ctx, id, found: (isOfKind(id) ? await find(id, ctx) : undefined) ?? notFound() };
  });
  const load = async ({ params }: SubjectProps) => read((await params)[parameter] ?? "");
  const generateMetadata = async (props: SubjectProps): Promise<Metadata> => {
    const { found, id } = await load(props);
    return { title: titleOf(found, id), robots: { index: false } };
  };
  return { load, generateMetadata };
}

/** The audit trail's entries about a page's subject, and links to more. While there are none, the sentence, or else nothing. */
export function AuditTrail({
  events,
  empty,
  children,
}: {
  events: readonly RecordedEvent[];
  empty?: string;
  children?: ReactNode;
}) {
  if (events.length === 0 && !empty) return null;
  return (
    <Part ruled id="record" title="Audit trail">
      {events.length > 0 ? <EventList events={events} /> : <EmptyState sentence={empty ?? ""} />}
      {children}
    </Part>
  );
}
