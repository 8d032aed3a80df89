import { type HTMLAttributes, type ReactNode, useId } from "react";
import { Link } from "./link.tsx";

/**
 * A search form that sends a plain GET, so that its results have an address. `label` adds a search box. `keep` are parameters to
 * send along. `isFiltered` offers a link that clears the filters. `children`, further fields, are folded on a phone. Its fields keep
 * what is typed into them, so give the form a `key` that changes with the search.
 */
export function SearchForm({
  action,
  label,
  value = "",
  error,
  keep = {},
  isFiltered = value !== "",
  children,
}: {
  action: string;
  label?: string;
  value?: string;
  error?: string;
  keep?: Record<string, string>;
  isFiltered?: boolean;
  children?: ReactNode;
}) {
  return (
    <search>
      <form action={action} className="search-form">
        {Object.entries(keep).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {label ? <SearchText name="q" label={label} value={value} error={error} search /> : null}
        {children ? (
          <details className="search-filters" open={isFiltered}>
            <summary>Filters</summary>
            <div className="search-fields">{children}</div>
          </details>
        ) : null}
        <p className="search-acts">
          <button type="submit" className="button">
            {label ? "Search" : "Show"}
          </button>
          {isFiltered ? (
            <Link href={action} className="py-2">
              Clear
            </Link>
          ) : null}
        </p>
      </form>
    </search>
  );
}

function FieldError({ id, error }: { id: string; error?: string }) {
  return error ? (
    <p id={id} className="mt-1 max-w-measure text-13 text-danger">
      {error}
    </p>
  ) : null;
}

const FIELD = "h-10 border-b bg-transparent hover:border-ink";

/** A text field, or with `search` the search box. `error` is shown beneath it. */
export function SearchText({
  name,
  label,
  value = "",
  error,
  search = false,
  inputMode,
  prefix,
}: {
  name: string;
  label: string;
  value?: string;
  error?: string;
  search?: boolean;
  inputMode?: HTMLAttributes<HTMLInputElement>["inputMode"];
  prefix?: string;
}) {
  const id = useId();
  return (
    <div className={search ? "search-box" : "min-w-0 sm:basis-24"}>
      <label htmlFor={id} className={`block text-13 text-muted ${search ? "max-sm:sr-only" : ""}`}>
        {label}
      </label>
      <div className="flex items-baseline gap-1">
        {prefix ? <span aria-hidden="true">{prefix}</span> : null}
        <input
          id={id}
          type={search ? "search" : "text"}
          name={name}
          defaultValue={value}
          placeholder={search ? label : undefined}
          inputMode={inputMode}
          enterKeyHint="search"
          autoCapitalize="none"
          spellCheck={search}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className={`${FIELD} w-full min-w-0 ${search ? "text-17" : "text-15"} ${error ? "border-danger" : "border-edge"}`}
        />
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

/**
 * A choice among options; the option `""` means no restriction. `value` is where it begins. From then on it keeps what is chosen, so
 * give it a `key` if it has to follow.
 */
export function SearchChoice({
  name,
  label,
  value = "",
  error,
  options,
  choose,
}: {
  name: string;
  label: string;
  value?: string;
  error?: string;
  options: readonly { value: string; label: string }[];
  /** Called with what is chosen, where the list does not wait for a button. */
  choose?: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block text-13 text-muted">
        {label}
      </label>
      <select
        id={id}
        name={name}
        defaultValue={value}
        onChange={choose && ((event) => choose(event.currentTarget.value))}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        className={`${FIELD} w-full bg-paper text-15 sm:w-auto ${error ? "border-danger" : "border-edge"}`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

/** A checkbox, sent as `1` or not at all. */
export function SearchCheckbox({ name, label, checked }: { name: string; label: string; checked: boolean }) {
  return (
    <label className="flex h-10 items-center gap-2 self-end">
      <input type="checkbox" name={name} value="1" defaultChecked={checked} className="size-4 accent-accent" />
      {label}
    </label>
  );
}
