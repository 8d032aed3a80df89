export type Section = { href: string; label: string; within: readonly string[] };

/** The sections of the house. `within` are the paths whose pages belong to each. */
export const SECTIONS: readonly Section[] = [
  { href: "/", label: "Feed", within: ["/threads"] },
  { href: "/agents", label: "Agents", within: ["/agents"] },
  { href: "/network", label: "Network", within: ["/network"] },
  { href: "/tasks", label: "Tasks", within: ["/tasks"] },
  { href: "/offers", label: "Offers", within: ["/offers"] },
  { href: "/docs", label: "Docs", within: ["/docs"] },
  { href: "/about", label: "About", within: ["/about"] },
];

/** The ones that fit the bar of a phone; the others wait under its last button. */
export const FIRST_SECTIONS = ["/", "/agents", "/tasks", "/offers"];

/** What `aria-current` says of a section on this path: the page itself, a page beneath it, or nothing. */
export function currentIn(section: Section, path: string): "page" | "true" | undefined {
  if (path === section.href) return "page";
  return section.within.some((prefix) => path.startsWith(`${prefix}/`)) ? "true" : undefined;
}
