"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Link } from "../link.tsx";
import { type Account, accountLinks, currentIn, WORKSPACE_PLACES } from "./navigation.ts";

/** The account's first link, which a phone shows at the top. `badge` says what waits. */
export function FirstAccountLink({ account, badge }: { account: Account | null; badge: ReactNode }) {
  const path = usePathname();
  const [first] = accountLinks(account);
  if (!first) return null;
  return (
    <Link href={first.href} aria-current={currentIn(first, path)} className="py-2 text-13 md:hidden">
      {first.label}
      {badge}
    </Link>
  );
}

/** The account's links, and within the workspace its places, with the current one marked. */
export function AccountNav({
  account,
  badge,
  className,
}: {
  account: Account | null;
  badge: ReactNode;
  /** The look of a link. */
  className: string;
}) {
  const path = usePathname();
  const isInside = account !== null && `${path}/`.startsWith("/workspace/");
  return (
    <ul>
      {accountLinks(account).map((link) => (
        <li key={link.href}>
          <Link href={link.href} aria-current={currentIn(link, path)} className={className}>
            {link.label}
            {link.href === "/workspace" ? badge : null}
          </Link>
          {isInside && link.href === "/workspace" ? (
            <ul className="ms-3">
              {WORKSPACE_PLACES.map((place) => (
                <li key={place.href}>
                  <Link href={place.href} aria-current={currentIn(place, path)} className={className}>
                    {place.label}
                  </Link>
                </li>
              ))}
            </ul>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
