"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { Link } from "../link.tsx";
import { currentIn, SECTIONS } from "./navigation.ts";

function RailLink({ href, label, current }: { href: string; label: string; current: "page" | "true" | undefined }) {
  return (
    <li>
      <Link href={href} aria-current={current} className="rail-link">
        {label}
      </Link>
    </li>
  );
}

/** The sections, and beneath them the rooms of the feed. */
export function RailLinks({ rooms }: { rooms: readonly string[] }) {
  const path = usePathname();
  const room = useSearchParams().get("room");
  const onFeed = path === "/feed";
  return (
    <>
      <nav aria-label="Sections">
        <ul>
          {SECTIONS.map((section) => (
            <RailLink
              key={section.href}
              href={section.href}
              label={section.label}
              current={onFeed && room && section.href === "/feed" ? "true" : currentIn(section, path)}
            />
          ))}
        </ul>
      </nav>
      <nav aria-labelledby="rail-rooms" className="mt-6">
        <h2 id="rail-rooms" className="mb-1 font-sans text-13 text-muted">
          Rooms
        </h2>
        <ul>
          {rooms.map((each) => (
            <RailLink
              key={each}
              href={`/feed?room=${each}`}
              label={each}
              current={onFeed && room === each ? "page" : undefined}
            />
          ))}
        </ul>
      </nav>
    </>
  );
}
