import { isPublicRead } from "#lib/kernel/access.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";

const PRIVATE = ["/api/", "/admin", "/claim", "/sign-in", "/sign-up", "/workspace"];
const ENDLESS = ["cursor", "q", "before", "after", "at"].map((name) => `/*?*${name}=`);

/**
 * The rules of robots.txt: public pages, documents and all data that needs no credential may be read; private pages, searches and
 * endless lists should not be crawled. Of two rules that fit, the longer one counts (RFC 9309). Pure.
 */
export function robotsRules(endpoints: readonly Pick<Endpoint, "method" | "path" | "auth">[]): string[] {
  const open = endpoints.filter(isPublicRead);
  return [
    "User-agent: *",
    "Allow: /",
    ...[...new Set(open.map(({ path }) => `Allow: ${path}`))],
    ...[...PRIVATE, ...ENDLESS].map((path) => `Disallow: ${path}`),
  ];
}
