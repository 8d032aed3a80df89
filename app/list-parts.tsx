import type { ComponentProps, ReactNode } from "react";
import { EmptyState } from "#components/empty-state.tsx";
import { optionsOf } from "#components/form/options.ts";
import { Link } from "#components/link.tsx";
import { LinkTabs } from "#components/link-tabs.tsx";
import { Pager } from "#components/pager.tsx";
import { SearchCheckbox, SearchChoice, SearchForm, SearchText } from "#components/search-form.tsx";
import { neighbours, type PageQuery, problemOf } from "./page-query.ts";

// Shared by the list pages, whose filters are query parameters.

type ListQuery = { query: PageQuery<unknown>; path: string };
type Field = { query: PageQuery<unknown>; name: string; label: string };

function filtersOf({ given }: PageQuery<unknown>): string[] {
  const { cursor, ...filters } = given;
  return Object.values(filters);
}

export const MODES = optionsOf({ "": "Either mode", TEST: "TEST", LIVE: "LIVE" });

export function FilterChoice({
  query,
  name,
  ...rest
}: Field & { options: readonly { value: string; label: string }[] }) {
  const error = problemOf(query, name) && "Choose one of the options.";
  return <SearchChoice name={name} value={query.given[name]} error={error} {...rest} />;
}

export function FilterText({ query, name, label }: Field) {
  return <SearchText name={name} label={label} value={query.given[name]} error={problemOf(query, name)} />;
}

export function FilterCheckbox({ query, name, label }: Field) {
  return <SearchCheckbox name={name} label={label} checked={query.given[name] === "1"} />;
}

/** The skills with the most offers, as links that narrow the list to one. */
export function SkillTabs({
  path,
  skills,
  query,
}: {
  path: string;
  skills: readonly string[];
  query: PageQuery<unknown>;
}) {
  const { cursor, skill: chosen, ...given } = query.given;
  if (skills.length === 0) return null;
  const href = (skill?: string) => {
    const asked = new URLSearchParams(skill ? { ...given, skill } : given);
    return asked.size > 0 ? `${path}?${asked}` : path;
  };
  const tabs = [undefined, ...skills].map((skill) => ({
    href: href(skill),
    label: skill ?? "all skills",
    isCurrent: skill === chosen,
  }));
  return <LinkTabs label="Offered most" tabs={tabs} className="mb-2 text-13" />;
}

type Found<Item> = { items: readonly Item[]; next: string | null };

type ListProps<Item> = ListQuery & {
  /** The fields of the filter form. */
  filters: ReactNode;
  /** Shown between the filters and the list. */
  between?: ReactNode;
  /** Adds a search box of this name. */
  label?: string;
  /** Left out if the query is not valid. */
  found: Found<Item> | undefined;
  /** Recognises a cursor of this list, if it uses its own kind. */
  isCursor?: ((text: string) => boolean) | undefined;
  /** Whether the reader has filtered the list; by default, if the query has any parameter but the cursor. */
  isFiltered?: boolean;
  /** What the list is ordered by. */
  by?: ComponentProps<typeof Pager>["by"];
  /** Shown when the filters match nothing. */
  noMatch?: string;
  /** Shown when the list is empty without any filter. */
  empty: ComponentProps<typeof EmptyState>;
  children: (found: readonly Item[]) => ReactNode;
};

/** The filter form of a list, and beneath it one page of what it finds. */
export function FilteredList<Item>({ query, path, filters, label, between, ...list }: ListProps<Item>) {
  const { isFiltered = filtersOf(query).length > 0 } = list;
  return (
    <>
      <SearchForm
        key={new URLSearchParams(query.given).toString()}
        action={path}
        label={label}
        value={query.given.q}
        error={problemOf(query, "q")}
        isFiltered={isFiltered}
      >
        {filters}
      </SearchForm>
      {between}
      <Results query={query} path={path} {...list} />
    </>
  );
}

/** One page of a list with links to its neighbours; or what is wrong with the query, or a sentence when nothing was found. */
export function Results<Item>({
  query,
  path,
  found,
  isCursor,
  isFiltered = filtersOf(query).length > 0,
  by,
  noMatch = "No results match.",
  empty,
  children,
}: Omit<ListProps<Item>, "filters" | "label" | "between">) {
  if (query.problems) return <RefusedQuery problems={query.problems} href={path} />;
  if (found && found.items.length > 0) {
    return (
      <>
        {children(found.items)}
        <Pager {...neighbours(path, query, found.next, isCursor)} by={by} />
      </>
    );
  }
  if (query.given.cursor)
    return <EmptyState sentence="There are no more results." next={{ href: path, label: "Back to the start" }} />;
  if (isFiltered) return <EmptyState sentence={noMatch} next={{ href: path, label: "Clear the filters" }} />;
  return <EmptyState {...empty} />;
}

/** Shown instead of a list when its query parameters are invalid: what is wrong, and a link to the whole list. */
export function RefusedQuery({
  problems,
  href,
}: {
  problems: readonly { path: string; message: string }[];
  href: string;
}) {
  return (
    <div role="alert" className="border-danger border-t-2 py-6">
      <h2 className="font-semibold text-21">Invalid search</h2>
      <ul className="mt-2 max-w-measure">
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{path}</code> {message}.
          </li>
        ))}
      </ul>
      <p className="mt-3">
        Correct it above, or <Link href={href}>see the whole list</Link>.
      </p>
    </div>
  );
}
