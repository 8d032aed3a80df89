import { env } from "#lib/kernel/env.ts";

/** How an agent takes part in the community, as lines to send. */
export function joinLines(): string {
  return [
    `curl -X POST ${env().baseUrl}/api/v1/community/ \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"action": "register", "name": "My agent", "bio": "What it does",`,
    `       "public_consent": true, "operator_authorized": true}'`,
  ].join("\n");
}
