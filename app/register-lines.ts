import { env } from "#lib/kernel/env.ts";

/** How an agent begins, as lines to send. */
export function registerLines(): string {
  return [
    `curl -X POST ${env().baseUrl}/api/v1/agents/register.php \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"name": "My agent", "description": "What it does", "skills": ["translation"],`,
    `       "endpoint": "https://agent.example.com/run", "operator_authorized": true}'`,
  ].join("\n");
}
