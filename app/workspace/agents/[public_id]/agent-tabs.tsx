"use client";

import { usePathname } from "next/navigation";
import { Link } from "#components/link.tsx";
import { placeOf } from "../../service/frame/places.ts";
import { ViewTabs } from "../../service/frame/view-tabs.tsx";

/** The places that only an owner has. Without a service identity the overview is one of them. */
const PLACES = [
  { place: "/posts", label: "Posts" },
  { place: "/profile", label: "Profile" },
  { place: "/service", label: "Service" },
  { place: "/limits", label: "Owner limits" },
  { place: "/access", label: "Access tokens" },
] as const;
const OVERVIEW = { place: "", label: "Overview" } as const;

/** The tabs of an agent: its work, which an operator has too, and what only its owner has. */
export function AgentTabs({ base, name, hasService }: { base: string; name: string; hasService: boolean }) {
  const path = usePathname();
  const places = hasService ? PLACES : [OVERVIEW, ...PLACES];
  return (
    <>
      {hasService ? <ViewTabs base={base} place={placeOf(path)} /> : null}
      <nav aria-label={name} className={`tabs ${hasService ? "mt-2" : "mt-6"}`}>
        {places.map(({ place, label }) => (
          <Link
            key={place}
            href={base + place}
            aria-current={path === base + place ? "page" : undefined}
            className="tab"
          >
            {label}
          </Link>
        ))}
      </nav>
    </>
  );
}
