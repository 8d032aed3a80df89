import Link from "next/link";
import type { ReactNode } from "react";
import { SearchChoice, SearchForm, SearchText } from "#components/search-form.tsx";
import { STATES, type StateKind } from "#components/state-label/states.ts";
import { problemOf } from "../page-query.ts";
import { filtersOf, type ListQuery } from "./list-query.ts";

type Filters = { action: string; query: ListQuery<unknown> };
type Field = { query: ListQuery<unknown>; name: string; label: string };

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

// A form keeps what is typed into it: one that shows another search gets another key.
const keyOf = ({ given }: ListQuery<unknown>) => new URLSearchParams(given).toString();

/** Filters of a list that is searched by words, too. `label` says what the words may be. */
export function SearchFilters({ action, query, label, children }: Filters & { label: string; children: ReactNode }) {
  return (
    <SearchForm
      key={keyOf(query)}
      action={action}
      label={label}
      value={query.given.q}
      error={problemOf(query, "q")}
      narrowed={filtersOf(query).length > 0}
    >
      {children}
    </SearchForm>
  );
}

/** Filters of any other list: a plain GET as well, so that what it shows has an address. */
export function FilterForm({ action, query, children }: Filters & { children: ReactNode }) {
  return (
    <search>
      <form
        key={keyOf(query)}
        action={action}
        className="mb-6 grid grid-cols-2 items-start gap-x-5 gap-y-3 sm:flex sm:flex-wrap"
      >
        {children}
        <p className="flex items-baseline gap-4 self-end">
          <button type="submit" className="button">
            Show
          </button>
          {filtersOf(query).length > 0 ? (
            <Link href={action} prefetch={false} className="py-2">
              Clear
            </Link>
          ) : null}
        </p>
      </form>
    </search>
  );
}

export function FilterChoice({
  query,
  name,
  ...rest
}: Field & { options: readonly { value: string; label: string }[] }) {
  return <SearchChoice name={name} value={query.given[name]} error={problemOf(query, name)} {...rest} />;
}

export function FilterText({ query, name, label }: Field) {
  return <SearchText name={name} label={label} value={query.given[name]} error={problemOf(query, name)} />;
}
