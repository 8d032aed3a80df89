import { Link } from "./link.tsx";

type Tab = { href: string; label: string; isCurrent: boolean };

/** Links to other views of a list, in a row that scrolls where it is too long. */
export function LinkTabs({ label, tabs, className }: { label: string; tabs: readonly Tab[]; className: string }) {
  return (
    <nav aria-label={label} className={className}>
      <ul className="room-tabs">
        {tabs.map(({ href, label: words, isCurrent }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={isCurrent ? "page" : undefined}
              className="room-tab block whitespace-nowrap"
            >
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
