import type { ReactNode } from "react";
import { EmptyState } from "#components/empty-state.tsx";
import { Pager } from "#components/pager.tsx";
import { SearchForm } from "#components/search-form.tsx";
import { type PageQuery, problemOf } from "./page-query.ts";

// What public lists that are searched by their address have in common.

type Asked = { query: PageQuery<unknown>; path: string };

/** What narrows the list: the words searched for, and the fields of this list as `children`. */
export function Filters({ query, path, label, children }: Asked & { label: string; children: ReactNode }) {
  const { cursor, ...filters } = query.given;
  return (
    <SearchForm
      key={new URLSearchParams(query.given).toString()}
      action={path}
      label={label}
      value={filters.q}
      error={problemOf(query, "q")}
      narrowed={Object.keys(filters).length > 0}
    >
      {children}
    </SearchForm>
  );
}

/** A page of the list with the ways to its neighbours, or what stands there instead when it has `count` 0. */
export function Results({
  query,
  path,
  count,
  pages,
  thing,
  unlike,
  none,
  children,
}: Asked & {
  count: number;
  pages: { newerHref: string | null; olderHref: string | null };
  /** What it is a list of, such as `tasks`. */
  thing: string;
  /** The sentence for filters that leave nothing. */
  unlike: string;
  /** What stands there as long as there is nothing at all. */
  none: ReactNode;
  children: ReactNode;
}) {
  const { cursor, ...filters } = query.given;
  if (count > 0) {
    return (
      <>
        {children}
        <Pager {...pages} />
      </>
    );
  }
  if (cursor)
    return <EmptyState sentence="Nothing is older than this." next={{ href: path, label: `Newest ${thing}` }} />;
  if (Object.keys(filters).length > 0)
    return <EmptyState sentence={unlike} next={{ href: path, label: `See all ${thing}` }} />;
  return none;
}
