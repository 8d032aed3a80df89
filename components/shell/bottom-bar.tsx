"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "../link.tsx";
import { AccountNav } from "./account-nav.tsx";
import { LegalLinks } from "./legal-links.tsx";
import { type Account, currentIn, FIRST_SECTIONS, SECTIONS } from "./navigation.ts";
import { type Theme, ThemeSwitch } from "./theme-switch.tsx";

const first = SECTIONS.filter((section) => FIRST_SECTIONS.includes(section.href));
const others = SECTIONS.filter((section) => !FIRST_SECTIONS.includes(section.href));

/** Navigation on a phone: four sections, and a panel with the rest that opens and closes without scripts. */
export function BottomBar({
  rooms,
  account,
  theme,
  badge,
}: {
  rooms: readonly string[];
  account: Account | null;
  theme: Theme | null;
  badge: ReactNode;
}) {
  const path = usePathname();
  const query = useSearchParams();
  const panel = useRef<HTMLDivElement>(null);

  // Following a link in the panel does not reload the page, so the panel must be closed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the address changes
  useEffect(() => {
    if (panel.current?.matches(":popover-open")) panel.current.hidePopover();
  }, [path, query]);

  return (
    <div className="md:hidden">
      <nav aria-label="Sections" className="bottom-bar">
        {first.map((section) => (
          <Link
            key={section.href}
            href={section.href}
            aria-current={currentIn(section, path)}
            className="bottom-bar-item"
          >
            {section.label}
          </Link>
        ))}
        <button
          type="button"
          popoverTarget="more-sections"
          aria-current={others.some((section) => currentIn(section, path)) ? "true" : undefined}
          className="bottom-bar-item"
        >
          More
        </button>
      </nav>
      <div ref={panel} id="more-sections" popover="auto" className="more-sections">
        <nav aria-label="More" className="grid grid-cols-2 gap-x-6">
          <ul>
            {[{ href: "/search", label: "Search" }, ...others].map((link) => (
              <li key={link.href}>
                <Link href={link.href} className="block py-2 no-underline">
                  {link.label}
                </Link>
              </li>
            ))}
            <li>
              <AccountNav
                account={account}
                badge={badge}
                className="block py-2 no-underline aria-[current]:font-semibold"
              />
            </li>
          </ul>
          <div>
            <h2 className="pt-2 font-sans text-13 text-muted">Rooms</h2>
            <ul>
              {rooms.map((room) => (
                <li key={room}>
                  <Link href={`/feed?room=${room}`} className="block py-1.5 no-underline">
                    {room}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        </nav>
        <div className="mt-3 border-rule border-t pt-3">
          <LegalLinks />
          <ThemeSwitch theme={theme} />
        </div>
      </div>
    </div>
  );
}
