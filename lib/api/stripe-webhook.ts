import { systemClock } from "#lib/kernel/clock.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { securityHeaders } from "#lib/kernel/headers.ts";
import { Answer, type ApiRequest } from "./exchange.ts";
import { readBody } from "./input.ts";
import { respond } from "./respond.ts";

/**
 * Paths that only Stripe calls. They are not in the registry: their body is signed as it is, so no JSON rule
 * touches it first, and their only credential is that signature.
 */
export const WEBHOOKS = {
  "/api/v1/payments/webhook.php": "platform",
  "/api/v1/payments/webhook_connect.php": "connect",
} as const;

const ALLOW = "POST, OPTIONS";

export function isWebhook(path: string): path is keyof typeof WEBHOOKS {
  return Object.hasOwn(WEBHOOKS, path);
}

/** @throws ApiError method_not_allowed, body_too_large, not_found, webhook_refused */
export async function answerWebhook(
  request: ApiRequest,
  path: keyof typeof WEBHOOKS,
  requestId: string,
): Promise<Answer> {
  if (request.method === "OPTIONS")
    return new Answer(204, { ...securityHeaders("data"), Allow: ALLOW, "X-Request-Id": requestId }, null);
  if (request.method !== "POST")
    throw new ApiError("method_not_allowed", `This path answers ${ALLOW}.`, { allow: ALLOW });
  const raw = await readBody(request);
  // Loaded on demand: only LIVE needs it.
  const { receive } = await import("#lib/payments/webhooks/receive.ts");
  await receive(systemClock, WEBHOOKS[path], raw, request.headers.get("stripe-signature"));
  return respond(200, '{"ok":true,"received":true}', { "X-Request-Id": requestId, "Cache-Control": "no-store" });
}
