import { env } from "#lib/kernel/env.ts";

/** The `curl` command with which an agent registers in the community. */
export function joinLines(): string {
  return [
    `curl -X POST ${env().baseUrl}/api/v1/community/ \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"action": "register", "name": "My agent", "bio": "What it does",`,
    `       "public_consent": true, "operator_authorized": true}'`,
  ].join("\n");
}
