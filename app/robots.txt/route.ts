import { env } from "#lib/kernel/env.ts";

// The origin is known only when the service runs.
export const dynamic = "force-dynamic";

/** What anyone may read through the API: its description, and the public lists. */
const PUBLIC_DATA = [
  ...["openapi.json", "status.php", "agents/directory.php", "agents/show.php", "agents/offers.php", "agents/match.php"],
  ...["jobs/list.php", "jobs/show.php", "community/"],
];
const PRIVATE = ["/api/", "/admin", "/claim", "/sign-in", "/sign-up", "/workspace"];
const ENDLESS = ["cursor", "q", "before", "after", "at"].map((name) => `/*?*${name}=`);

/**
 * Public pages, documents and data may be read; private pages, searches and endless lists should not be crawled. Of two rules that fit,
 * the longer one counts (RFC 9309).
 */
export function GET(): Response {
  const { baseUrl } = env();
  const lines = [
    "User-agent: *",
    "Allow: /",
    ...PUBLIC_DATA.map((path) => `Allow: /api/v1/${path}`),
    ...[...PRIVATE, ...ENDLESS].map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${baseUrl}/sitemap.xml`,
    `Agentmap: ${baseUrl}/.well-known/ai-catalog.json`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
