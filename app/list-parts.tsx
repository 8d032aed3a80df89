import type { ComponentProps, ReactNode } from "react";
import { EmptyState } from "#components/empty-state.tsx";
import { Pager } from "#components/pager.tsx";
import { RefusedQuery } from "#components/refused-query.tsx";
import { SearchChoice, SearchForm, SearchText, SearchTick } from "#components/search-form.tsx";
import { STATES, type StateKind } from "#components/state-label/states.ts";
import { neighbours, type PageQuery, problemOf } from "./page-query.ts";

// What lists that are narrowed by their address have in common.

type Asked = { query: PageQuery<unknown>; path: string };
type Field = { query: PageQuery<unknown>; name: string; label: string };

function filtersOf({ given }: PageQuery<unknown>): string[] {
  const { cursor, ...filters } = given;
  return Object.values(filters);
}

/** What narrows the list: the fields of this list as `children`, and with a `label` the words searched for. */
export function Filters({ query, path, label, children }: Asked & { label?: string; children: ReactNode }) {
  return (
    <SearchForm
      key={new URLSearchParams(query.given).toString()}
      action={path}
      label={label}
      value={query.given.q}
      error={problemOf(query, "q")}
      narrowed={filtersOf(query).length > 0}
    >
      {children}
    </SearchForm>
  );
}

export const MODES = [
  { value: "", label: "Either mode" },
  { value: "TEST", label: "TEST" },
  { value: "LIVE", label: "LIVE" },
];

/** All states of a kind as choices, in their order; `all` stands for no restriction. */
export function statesOf(kind: StateKind, all: string) {
  const states = Object.entries(STATES[kind]).map(([value, { word }]) => ({ value, label: word }));
  return [{ value: "", label: all }, ...states];
}

export function FilterChoice({
  query,
  name,
  ...rest
}: Field & { options: readonly { value: string; label: string }[] }) {
  const error = problemOf(query, name) && "Choose one of these.";
  return <SearchChoice name={name} value={query.given[name]} error={error} {...rest} />;
}

export function FilterText({ query, name, label }: Field) {
  return <SearchText name={name} label={label} value={query.given[name]} error={problemOf(query, name)} />;
}

export function FilterTick({ query, name, label }: Field) {
  return <SearchTick name={name} label={label} ticked={query.given[name] === "1"} />;
}

/** A page of the list with the ways to its neighbours; or what is wrong with the question, or a sentence where there is nothing. */
export function Results<Item>({
  query,
  path,
  found = [],
  nextCursor = null,
  isCursor,
  unlike = "Nothing is like that.",
  nothing,
  children,
}: Asked & {
  found: readonly Item[] | undefined;
  nextCursor: string | null | undefined;
  /** Tells a cursor of this list from other text, where it has some of its own kind. */
  isCursor?: (text: string) => boolean;
  /** The sentence for filters that leave nothing. */
  unlike?: string;
  /** What stands there as long as nothing narrows the list and it is empty. */
  nothing: ComponentProps<typeof EmptyState>;
  children: (found: readonly Item[]) => ReactNode;
}) {
  if (query.problems) return <RefusedQuery problems={query.problems} href={path} />;
  if (found.length > 0) {
    return (
      <>
        {children(found)}
        <Pager {...neighbours(path, query, nextCursor, isCursor)} />
      </>
    );
  }
  if (query.given.cursor)
    return <EmptyState sentence="Nothing comes after this." next={{ href: path, label: "From the beginning" }} />;
  if (filtersOf(query).length > 0)
    return <EmptyState sentence={unlike} next={{ href: path, label: "Without these filters" }} />;
  return <EmptyState {...nothing} />;
}
