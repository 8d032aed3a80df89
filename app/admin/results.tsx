import type { ReactNode } from "react";
import { EmptyState } from "#components/empty-state.tsx";
import { Pager } from "#components/pager.tsx";
import { RefusedQuery } from "#components/refused-query.tsx";
import { filtersOf, type ListQuery, pagesBeside } from "./list-query.ts";

/** A page of a list; or the sentence that stands where there is none, or what is wrong with the question. */
export function Results<Item>({
  path,
  query,
  found = [],
  nextCursor = null,
  isCursor,
  nothing,
  children,
}: {
  path: string;
  query: ListQuery<unknown>;
  found: readonly Item[] | undefined;
  nextCursor: string | null | undefined;
  isCursor?: (text: string) => boolean;
  /** What is said when nothing narrows the list and it is empty. */
  nothing: string;
  children: (found: readonly Item[]) => ReactNode;
}) {
  if (query.problems) return <RefusedQuery problems={query.problems} href={path} />;
  if (found.length > 0) {
    return (
      <>
        {children(found)}
        <Pager {...pagesBeside(path, query, nextCursor, isCursor)} />
      </>
    );
  }
  if (query.given.cursor)
    return <EmptyState sentence="Nothing comes after this." next={{ href: path, label: "From the beginning" }} />;
  if (filtersOf(query).length > 0)
    return <EmptyState sentence="Nothing is like that." next={{ href: path, label: "Without these filters" }} />;
  return <EmptyState sentence={nothing} />;
}
