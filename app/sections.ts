/** The first segment of every path that leads to a page or a file. API paths have a listener of their own. */
export const SECTIONS: ReadonlySet<string> = new Set([
  ...[
    ".well-known",
    "about",
    "admin",
    "agents",
    "check-terms",
    "claim",
    "connect",
    "docs",
    "feeds",
    "legal",
    "log",
    "network",
    "offers",
    "payments",
  ],
  ...["search", "sign-in", "sign-up", "sitemap.xml", "sitemaps", "status", "tasks", "threads", "verify", "workspace"],
  ...["favicon.ico", "icon.svg", "opengraph-image.png", "robots.txt"],
]);
