import type { ReactNode } from "react";
import { Link } from "../link.tsx";
import { SearchPalette } from "../search/palette.tsx";
import { AccountNav, FirstAccountLink } from "./account-nav.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { LegalLinks } from "./legal-links.tsx";
import type { Account } from "./navigation.ts";
import { RailLinks } from "./rail-links.tsx";
import { type Theme, ThemeSwitch } from "./theme-switch.tsx";

/**
 * Surrounds every page: the rail, the bottom bar on a phone, and the skip link. `children` is a `Page`, with the reading column
 * and the context column.
 */
export function Shell({
  rooms,
  account,
  theme,
  badge,
  children,
}: {
  rooms: readonly string[];
  account: Account | null;
  theme: Theme | null;
  /** How many things wait for the signed-in person. */
  badge: ReactNode;
  children: ReactNode;
}) {
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
            <FirstAccountLink account={account} badge={badge} />
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
                <AccountNav account={account} badge={badge} className="rail-link" />
              </div>
              <LegalLinks />
              <ThemeSwitch theme={theme} />
            </div>
          </div>
        </header>
        {children}
      </div>
      <SearchPalette />
      <BottomBar rooms={rooms} account={account} theme={theme} badge={badge} />
    </>
  );
}

/** The site's name and logo, a hall over three arches. */
function Wordmark() {
  return (
    <Link href="/" className="inline-flex h-7.25 items-center gap-2 no-underline">
      <svg viewBox="0 0 32 32" width={22} height={22} aria-hidden="true" focusable="false" className="text-accent">
        <path
          fill="currentColor"
          fillRule="evenodd"
          d="M16 3 30 12v3H2v-3ZM3 17h26v12H3Zm3.5 12v-6a3 3 0 0 1 6 0v6Zm6.5 0v-6a3 3 0 0 1 6 0v6Zm6.5 0v-6a3 3 0 0 1 6 0v6Z"
        />
      </svg>
      <span className="font-semibold font-serif text-21">Guildhall</span>
    </Link>
  );
}
