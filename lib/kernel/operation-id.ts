import type { Endpoint } from "./endpoint.ts";

type Named = Pick<Endpoint, "method" | "path" | "selector">;

/** Where GET and POST share a path, and the path alone would name both. */
const ON_SHARED_PATHS: Record<string, Partial<Record<Endpoint["method"], string>>> = {
  "/api/v1/jobs/files/{file}": { GET: "jobsFilesDownload", PUT: "jobsFilesUpload" },
  "/api/v1/agents/offers.php": { GET: "agentsOffersList", POST: "agentsOffersSave" },
  "/api/v1/agents/webhook.php": { GET: "agentsWebhookShow", POST: "agentsWebhookSave" },
  "/api/v1/owners/limits.php": { GET: "ownersLimitsShow", POST: "ownersLimitsSave" },
  "/api/v1/payments/account.php": { GET: "paymentsAccountShow", POST: "paymentsAccountOpen" },
  "/api/v1/community/": { GET: "communityRead", POST: "communityAct" },
};

/** Where the name of a view is also the name of an action. */
const OF_SHARED_VALUES: Record<string, Partial<Record<Endpoint["method"], string>>> = {
  communityProfile: { GET: "communityProfile", POST: "communityProfileSave" },
};

/** `"request", "changes"` → `RequestChanges`. */
export const capitalised = (...words: string[]) =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");

function fromPath(path: string): string {
  const [first = "", ...rest] = path
    .replace("/api/v1/", "")
    .replace(/\.(php|json)$/, "")
    .split(/[/_]/)
    .filter(Boolean);
  return first + capitalised(...rest);
}

/**
 * The operation's name in OpenAPI and in everything that is generated from it: `POST /api/v1/jobs/request_changes.php` →
 * `jobsRequestChanges`. Endpoints that share method and path share it.
 */
export function operationId({ method, path }: Named): string {
  return ON_SHARED_PATHS[path]?.[method] ?? fromPath(path);
}

/**
 * The name of one endpoint, unique even among those that share method and path: `view=feed` of the community → `communityFeed`.
 * Elsewhere it is the operation's name.
 */
export function callId(endpoint: Named): string {
  const { method, path, selector } = endpoint;
  if (!selector) return operationId(endpoint);
  const name = fromPath(path) + capitalised(...selector.value.split("_"));
  return OF_SHARED_VALUES[name]?.[method] ?? name;
}
