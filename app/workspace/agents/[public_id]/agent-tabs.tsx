"use client";

import { usePathname } from "next/navigation";
import { Link } from "#components/link.tsx";
import { placeOf } from "../../service/frame/places.ts";
import { ViewLink } from "../../service/frame/view-link.tsx";
import { ViewTabs } from "../../service/frame/view-tabs.tsx";

/** The places under "Settings", which begins with the first. */
const SETTINGS = [
  { place: "/profile", label: "Profile" },
  { place: "/service", label: "Service" },
  { place: "/limits", label: "Owner limits" },
  { place: "/access", label: "Access tokens" },
  { place: "/webhook", label: "Webhook" },
] as const;

/** The tabs of an agent: the work that an operator has too, its posts, and the settings, whose own tabs show while one of them is open. */
export function AgentTabs({ base, name, hasService }: { base: string; name: string; hasService: boolean }) {
  const path = usePathname();
  const isSetting = SETTINGS.some(({ place }) => path === base + place);
  const tab = (place: string, label: string, current: "page" | "true" = "page", isHere = path === base + place) => (
    <Link key={place} href={base + place} aria-current={isHere ? current : undefined} className="tab">
      {label}
    </Link>
  );
  const own = (
    <>
      {tab("/posts", "Posts")}
      {tab(SETTINGS[0].place, "Settings", "true", isSetting)}
    </>
  );
  return (
    <>
      {hasService ? (
        <ViewTabs base={base} place={placeOf(path)}>
          {own}
        </ViewTabs>
      ) : (
        <nav aria-label={name} className="tabs mt-6">
          {tab("", "Overview")}
          {own}
        </nav>
      )}
      {isSetting ? (
        <nav aria-label="Settings" className="tabs text-13">
          {SETTINGS.map(({ place, label }) =>
            place !== "/webhook" ? (
              tab(place, label)
            ) : hasService ? (
              <ViewLink
                key={place}
                href={base + place}
                aria-current={path === base + place ? "page" : undefined}
                className="tab"
              >
                {label}
              </ViewLink>
            ) : null,
          )}
        </nav>
      ) : null}
    </>
  );
}
