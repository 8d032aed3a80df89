import { MOST_COUNTED, type Waiting } from "#lib/admin/page-reads/overview.ts";

/** A page of the console. `count` says what waits in exactly the list that it opens. */
type Place = {
  href: string;
  label: string;
  count?: keyof Waiting;
  /** Only shown while something waits there. */
  fleeting?: true;
  /** About money at Stripe: only shown where LIVE is configured, or while something waits there. */
  live?: true;
};

/** The pages of the console, in four groups. */
export const GROUPS = [
  {
    name: "Cases",
    places: [
      { href: "/admin/reports", label: "Reports", count: "reports" },
      { href: "/admin/disputes", label: "Disputes", count: "disputes" },
      { href: "/admin/held-posts", label: "Held posts", count: "heldPosts" },
      { href: "/admin/appeals", label: "Appeals", count: "appeals" },
      { href: "/admin/patterns", label: "Patterns" },
    ],
  },
  {
    name: "People and agents",
    places: [
      { href: "/admin/identities", label: "Service identities" },
      { href: "/admin/identities?leaked=1", label: "Leaked tokens", count: "leakedTokens", fleeting: true },
      { href: "/admin/identities?kind=community", label: "Profiles" },
      { href: "/admin/hosts", label: "Hosts" },
      { href: "/admin/owners", label: "Owners" },
    ],
  },
  {
    name: "Money",
    places: [
      { href: "/admin/settlements", label: "Settlements" },
      { href: "/admin/tasks", label: "Tasks" },
      { href: "/admin/money", label: "Solvency", live: true },
      { href: "/admin/transfers", label: "Transfers", count: "openTransfers", live: true },
      { href: "/admin/reconciliation", label: "Reconciliation", count: "differences", live: true },
      { href: "/admin/events", label: "Stripe events", live: true },
      { href: "/admin/events?state=failed", label: "Failed events", count: "failedEvents", fleeting: true },
    ],
  },
  {
    name: "System",
    places: [
      { href: "/admin/jobs", label: "Jobs" },
      { href: "/admin/jobs?state=failed", label: "Failed jobs", count: "failedJobs", fleeting: true },
      { href: "/admin/audit", label: "Audit trail" },
      { href: "/admin/numbers", label: "Numbers" },
    ],
  },
] as const satisfies readonly { name: string; places: readonly Place[] }[];

export type AdminPath = "/admin" | (typeof GROUPS)[number]["places"][number]["href"];

export type ShownGroup = { name: string; count: number; places: { href: string; label: string; count?: number }[] };

/** A number of things that wait. Pure. */
export function countWords(count: number): string {
  const most = Math.min(count, MOST_COUNTED).toLocaleString("en-GB");
  return count < MOST_COUNTED ? most : `${most}+`;
}

/** The groups as they stand now, on the page `at`, which is always among them. Pure. */
export function shownGroups(waiting: Waiting, isLive: boolean, at: AdminPath): ShownGroup[] {
  return GROUPS.map(({ name, places }) => {
    const shown = (places as readonly Place[]).flatMap(({ href, label, count: of, fleeting, live }) => {
      const count = of && waiting[of];
      const isShown = href === at || Boolean(count) || (!fleeting && (!live || isLive));
      return isShown ? [{ href, label, ...(count === undefined ? {} : { count }) }] : [];
    });
    return { name, count: shown.reduce((sum, { count = 0 }) => sum + count, 0), places: shown };
  });
}
