/** The first part of every address that may lead to a page or a file. The API's addresses never come to the pages. */
export const SECTIONS: ReadonlySet<string> = new Set([
  ...[".well-known", "about", "admin", "agents", "claim", "docs", "feeds", "network", "offers", "payments"],
  ...["sign-in", "sign-up", "sitemap.xml", "sitemaps", "tasks", "terms", "threads", "workspace"],
  ...["favicon.ico", "icon.svg", "opengraph-image.png", "robots.txt"],
]);
