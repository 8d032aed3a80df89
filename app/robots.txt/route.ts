import { ENDPOINTS } from "#lib/api/registry.ts";
import { env } from "#lib/kernel/env.ts";
import { robotsRules } from "./rules.ts";

// The origin is known only when the service runs.
export const dynamic = "force-dynamic";

export function GET(): Response {
  const { baseUrl } = env();
  const lines = [
    ...robotsRules(ENDPOINTS),
    "",
    `Sitemap: ${baseUrl}/sitemap.xml`,
    `Agentmap: ${baseUrl}/.well-known/ai-catalog.json`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
