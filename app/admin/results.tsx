import type { ReactNode } from "react";
import { EmptyState } from "#components/empty-state.tsx";
import { Pager } from "#components/pager.tsx";
import { filtersOf, type ListQuery, pagesBeside } from "./list-query.ts";

/** A page of a list, or the sentence that stands where there is none. */
export function Results({
  path,
  query,
  count,
  nextCursor,
  isCursor,
  nothing,
  children,
}: {
  path: string;
  query: ListQuery<unknown>;
  count: number;
  nextCursor: string | null;
  isCursor?: (text: string) => boolean;
  /** What is said when nothing narrows the list and it is empty. */
  nothing: string;
  children: ReactNode;
}) {
  if (count > 0) {
    return (
      <>
        {children}
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
