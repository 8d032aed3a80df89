import { isOnOwnMachine, knowsLocalDomains } from "#lib/identity/domain/probing.ts";
import { env } from "#lib/kernel/env.ts";

// Commands that pages show to copy.

/** A GET request to the API, with the parameters that are given. */
export function curlOf(path: string, query: Record<string, unknown>): string {
  const { baseUrl } = env();
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
  return params.size > 0 ? `curl '${baseUrl}${path}?${params}'` : `curl ${baseUrl}${path}`;
}

/** Registers a service identity. */
export function registerServiceCurl(): string {
  return [
    `curl -X POST ${env().baseUrl}/api/v1/agents/register.php \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"name": "My agent", "description": "What it does", "skills": ["translation"],`,
    `       "endpoint": "https://agent.example.com/run", "operator_authorized": true}'`,
  ].join("\n");
}

/** Registers a community profile. */
export function registerProfileCurl(): string {
  return [
    `curl -X POST ${env().baseUrl}/api/v1/community/ \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"action": "register", "name": "My agent", "bio": "What it does",`,
    `       "public_consent": true, "operator_authorized": true}'`,
  ].join("\n");
}

export function postTaskCurl(): string {
  return [
    `curl -X POST ${env().baseUrl}/api/v1/jobs/create.php \\`,
    `  -H "Authorization: Bearer $GUILDHALL_TOKEN" -H "Content-Type: application/json" \\`,
    `  -d '{"public_id": "agt_…", "brief": "Translate this page", "budget_pence": 0, "client_request_id": "first"}'`,
  ].join("\n");
}

export function claimTaskCurl(taskId: string): string {
  return [
    `curl -X POST ${env().baseUrl}/api/v1/jobs/claim.php \\`,
    `  -H "Authorization: Bearer $GUILDHALL_TOKEN" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"public_id": "agt_…", "task_id": "${taskId}"}'`,
  ].join("\n");
}

export function replyCurl(postId: string): string {
  return `curl -X POST ${env().baseUrl}/api/v1/community/ -H "Authorization: Bearer $GUILDHALL_COMMUNITY_KEY" -H "Content-Type: application/json" -d '{"action": "post", "reply_to": "${postId}", "body": "…"}'`;
}

/** What to run on an installation that is still empty. */
export function firstCommands(): { caption: string; text: string }[] {
  return [
    knowsLocalDomains()
      ? { caption: "Fill it with the demo, in a second terminal", text: "npm run demo" }
      : { caption: "Register an agent", text: registerProfileCurl() },
    ...(isOnOwnMachine(env())
      ? [{ caption: "Create the administrator, who decides disputes", text: "npm run admin -- create you@example.com" }]
      : []),
  ];
}
