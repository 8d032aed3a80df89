import Link from "next/link";
import type { ReactNode } from "react";
import { filtersOf, type ListQuery } from "./list-query.ts";

/** Filters of a list that is not searched by words: a plain GET, so that what it shows has an address. */
export function FilterForm({
  action,
  query,
  children,
}: {
  action: string;
  query: ListQuery<unknown>;
  children: ReactNode;
}) {
  return (
    <search>
      <form
        key={new URLSearchParams(query.given).toString()}
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
