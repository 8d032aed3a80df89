import Link from "next/link";
import { type ReactNode, useId } from "react";

/** A search that is a plain GET, so that its result has an address. `keep` are parameters that it carries along. */
export function SearchForm({
  action,
  label,
  value = "",
  keep = {},
  children,
}: {
  action: string;
  label: string;
  value?: string;
  keep?: Record<string, string>;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <search>
      <form action={action} className="flex flex-wrap items-end gap-x-4 gap-y-3">
        {Object.entries(keep).map(([name, kept]) => (
          <input key={name} type="hidden" name={name} value={kept} />
        ))}
        <div className="min-w-0 flex-1 basis-64">
          <label htmlFor={id} className="block text-13 text-muted">
            {label}
          </label>
          <input
            id={id}
            type="search"
            name="q"
            defaultValue={value}
            enterKeyHint="search"
            className="h-10 w-full border-edge border-b bg-transparent text-17 hover:border-ink"
          />
        </div>
        {children}
        <button type="submit" className="button">
          Search
        </button>
        {value ? (
          <Link href={action} className="leading-10">
            Clear
          </Link>
        ) : null}
      </form>
    </search>
  );
}

/** A choice beside the search field. `""` as a value means no restriction. */
export function SearchChoice({
  name,
  label,
  value = "",
  options,
}: {
  name: string;
  label: string;
  value?: string;
  options: readonly { value: string; label: string }[];
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block text-13 text-muted">
        {label}
      </label>
      <select
        id={id}
        name={name}
        defaultValue={value}
        className="h-10 border-edge border-b bg-paper text-15 hover:border-ink"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
