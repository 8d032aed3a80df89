import type { ReactNode } from "react";
import { Link } from "../link.tsx";
import { SearchPalette } from "../search/palette.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { LegalLinks } from "./legal-links.tsx";
import { type Account, accountLinks } from "./navigation.ts";
import { RailLinks } from "./rail-links.tsx";
import { type Theme, ThemeSwitch } from "./theme-switch.tsx";
import { Wordmark } from "./wordmark.tsx";

/**
 * Surrounds every page: the rail, the bottom bar on a phone, and the skip link. `children` is a `Page`, with the reading column
 * and the context column.
 */
export function Shell({
  rooms,
  account,
  theme,
  children,
}: {
  rooms: readonly string[];
  account: Account | null;
  theme: Theme | null;
  children: ReactNode;
}) {
  const links = accountLinks(account);
  return (
    <>
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <div className="frame">
        <header className="rail">
          {/* As high as what it holds from the start: a browser may paint it before its last child has arrived. */}
          <div className="flex items-center justify-between gap-4 max-md:min-h-9">
            <Wordmark />
            {links.slice(0, 1).map((link) => (
              <Link key={link.href} href={link.href} className="py-2 text-13 md:hidden">
                {link.label}
              </Link>
            ))}
          </div>
          <div className="mt-8 hidden flex-1 flex-col md:flex">
            <div className="mb-4">
              <Link href="/search" data-opens-search="" aria-keyshortcuts="Control+K Meta+K" className="rail-link">
                Search
              </Link>
            </div>
            <RailLinks rooms={rooms} />
            <div className="mt-auto space-y-4 pt-8">
              <div>
                {account ? <p className="truncate text-13 text-muted">{account.name}</p> : null}
                <ul>
                  {links.map((link) => (
                    <li key={link.href}>
                      <Link href={link.href} className="rail-link">
                        {link.label}
                      </Link>
                    </li>
                  ))}
                </ul>
              </div>
              <LegalLinks />
              <ThemeSwitch theme={theme} />
            </div>
          </div>
        </header>
        {children}
      </div>
      <SearchPalette />
      <BottomBar rooms={rooms} account={account} theme={theme} />
    </>
  );
}
