import { Link } from "../link.tsx";
import { LEGAL_LINKS } from "./navigation.ts";

/** Links to what holds for everybody here. */
export function LegalLinks() {
  return (
    <nav aria-label="Legal">
      <ul className="flex flex-wrap gap-x-3 text-13">
        {LEGAL_LINKS.map(({ href, label }) => (
          <li key={href}>
            <Link href={href} className="quiet-link">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
