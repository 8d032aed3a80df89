import { Link } from "#components/link.tsx";
import { type AdminPath, countWords, type ShownGroup } from "./places.ts";

type Props = { at: AdminPath; within: boolean; groups: readonly ShownGroup[] };

/** The groups of the console, and the pages of the one that is open, each with what waits there. */
export function AdminNavigation({ at, within, groups }: Props) {
  const open = groups.find(({ places }) => places.some(({ href }) => href === at));
  return (
    <nav aria-label="Administration" className="mb-6">
      <ul className="tabs">
        <Tab href="/admin" label="Overview" current={at === "/admin" ? "page" : undefined} />
        {groups.map(({ name, count, places: [first] }) =>
          first ? (
            <Tab
              key={name}
              href={first.href}
              label={name}
              count={count}
              current={open?.name === name ? "true" : undefined}
            />
          ) : null,
        )}
      </ul>
      {open ? (
        <ul className="tabs text-13">
          {open.places.map(({ href, label, count }) => (
            <Tab
              key={href}
              href={href}
              label={label}
              count={count}
              current={href === at ? (within ? "true" : "page") : undefined}
            />
          ))}
        </ul>
      ) : null}
    </nav>
  );
}

function Tab({
  href,
  label,
  count = 0,
  current,
}: {
  href: string;
  label: string;
  count?: number | undefined;
  current: "page" | "true" | undefined;
}) {
  return (
    <li className="flex">
      <Link href={href} aria-current={current} className="tab">
        {label}
        {count > 0 ? (
          <>
            {" "}
            <span className="count">
              {countWords(count)}
              <span className="sr-only"> waiting</span>
            </span>
          </>
        ) : null}
      </Link>
    </li>
  );
}
