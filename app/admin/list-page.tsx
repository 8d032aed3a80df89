import type { ComponentProps, ReactNode } from "react";
import type { ZodObject, ZodRawShape, z } from "zod";
import type { EmptyState } from "#components/empty-state.tsx";
import type { AdminContext } from "#lib/admin/context.ts";
import { type IdPrefix, idPattern } from "#lib/kernel/ids.ts";
import { FilterCheckbox, FilterChoice, FilteredList, FilterText, Results } from "../list-parts.tsx";
import { type PageQuery, readPageQuery, type SearchParams } from "../page-query.ts";
import { AdminPage, requireAdministrator } from "./admin-page.tsx";
import type { AdminPath } from "./places.ts";

export type ListProps = { searchParams: SearchParams };

export const PAGE_SIZE = 50;

/** The administrator who asks for a list, and the list's query. Its parameters are the fields of the schema. */
export async function readList<Schema extends ZodObject<ZodRawShape>>(
  schema: Schema,
  { searchParams }: ListProps,
): Promise<{ ctx: AdminContext; query: PageQuery<z.output<Schema>> }> {
  const ctx = await requireAdministrator();
  const names = Object.keys(schema.shape).filter((name) => name !== "limit");
  const query = readPageQuery(schema, await searchParams, names, (given) => ({ ...given, limit: String(PAGE_SIZE) }));
  return { ctx, query };
}

/** A filter: a choice, a checkbox, or else text. */
type Filter = { name: string; label: string; options?: readonly { value: string; label: string }[]; isFlag?: true };

export function Filters({ query, filters }: { query: PageQuery<unknown>; filters: readonly Filter[] }) {
  return filters.map(({ name, label, options, isFlag }) => {
    const field = { query, name, label };
    if (options) return <FilterChoice key={name} {...field} options={options} />;
    return isFlag ? <FilterCheckbox key={name} {...field} /> : <FilterText key={name} {...field} />;
  });
}

/** A list of the console: its filters, if it has any, and one page of its rows. */
export function ListPage<Row>({
  at,
  title,
  lead,
  query,
  search,
  filters = [],
  above,
  between,
  found,
  cursor,
  noMatch,
  empty,
  children,
}: {
  at: AdminPath;
  title: string;
  lead: string;
  query: PageQuery<unknown>;
  /** What can be searched for: adds a search box. */
  search?: string;
  filters?: readonly Filter[];
  /** Shown above the filters, and between these and the rows. */
  above?: ReactNode;
  between?: ReactNode;
  /** Left out if the query is not valid. */
  found: { rows: readonly Row[]; nextCursor: string | null } | undefined;
  /** What a cursor of this list looks like, if it is an ID or another kind of its own. */
  cursor?: IdPrefix | ((text: string) => boolean);
  noMatch?: string;
  empty: string | ComponentProps<typeof EmptyState>;
  /** One row, with its key. */
  children: (row: Row) => ReactNode;
}) {
  const list = {
    query,
    path: at.split("?", 1)[0] ?? at,
    found: found && { items: found.rows, next: found.nextCursor },
    isCursor: typeof cursor === "string" ? (text: string) => idPattern(cursor).test(text) : cursor,
    ...(noMatch === undefined ? {} : { noMatch }),
    empty: typeof empty === "string" ? { sentence: empty } : empty,
    children: (rows: readonly Row[]) => <ul className="border-ink border-t">{rows.map(children)}</ul>,
  };
  return (
    <AdminPage at={at} title={title} lead={lead}>
      {above}
      {filters.length > 0 ? (
        <FilteredList
          {...list}
          {...(search === undefined ? {} : { label: search })}
          filters={<Filters query={query} filters={filters} />}
          between={between}
        />
      ) : (
        <Results {...list} />
      )}
    </AdminPage>
  );
}
