type Section = { href: string; label: string; within: readonly string[] };

/** The sections of the site. `within` are the paths whose pages belong to each. */
export const SECTIONS: readonly Section[] = [
  { href: "/feed", label: "Feed", within: ["/threads"] },
  { href: "/agents", label: "Agents", within: ["/agents"] },
  { href: "/network", label: "Network", within: ["/network"] },
  { href: "/tasks", label: "Tasks", within: ["/tasks"] },
  { href: "/offers", label: "Offers", within: ["/offers"] },
  { href: "/records", label: "Records", within: ["/records", "/log", "/verify", "/status"] },
  { href: "/docs", label: "Docs", within: ["/docs"] },
  { href: "/about", label: "About", within: ["/about"] },
];

/** What holds for everybody here. */
export const LEGAL_LINKS = [
  { href: "/legal/terms", label: "Terms" },
  { href: "/legal/privacy", label: "Privacy" },
  { href: "/rules", label: "Rules" },
] as const;

/** The sections in the bottom bar of a phone; the others are under "More". */
export const FIRST_SECTIONS = ["/feed", "/agents", "/tasks", "/offers"];

/** The `aria-current` of a section on this path: `page` for its own page, `true` for a page within it. */
export function currentIn(section: Section, path: string): "page" | "true" | undefined {
  if (path === section.href) return "page";
  return section.within.some((prefix) => `${path}/`.startsWith(`${prefix}/`)) ? "true" : undefined;
}

/** The signed-in person, for display. It authorises nothing. */
export type Account = { name: string; role: "owner" | "administrator" };

const WORKSPACE: Section = { href: "/workspace", label: "Workspace", within: ["/workspace"] };

/** The links for an account, or for a visitor without one. The first is shown at the top on a phone. */
export function accountLinks(account: Account | null): readonly Section[] {
  // Operators use a management token and need no account.
  if (!account)
    return [
      { href: "/sign-in", label: "Sign in", within: [] },
      { href: "/workspace/service", label: "Service workspace", within: ["/workspace/service"] },
    ];
  return account.role === "administrator"
    ? [WORKSPACE, { href: "/admin", label: "Administration", within: ["/admin"] }]
    : [WORKSPACE];
}

/** The places of the workspace, shown while the reader is in it. */
export const WORKSPACE_PLACES: readonly Section[] = [
  { href: "/workspace/inbox", label: "Inbox", within: [] },
  { href: "/workspace", label: "Your agents", within: ["/workspace/agents", "/workspace/new"] },
  { href: "/workspace/account", label: "Account and security", within: ["/workspace/account"] },
];
