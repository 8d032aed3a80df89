import { findClaimLink } from "#lib/community/claim-link.ts";
import { isPublicRead } from "#lib/kernel/access.ts";
import { type AccessResource, type Actor, accessOfActor } from "#lib/kernel/actor.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { LIMITS, type LimitName } from "#lib/kernel/limits.ts";
import { normalizeText } from "#lib/kernel/text.ts";
import type { ApiRequest } from "../exchange.ts";
import { type Family, isFamily } from "../registry.ts";
import { authenticate } from "./authenticate.ts";
import { type Bearer, invalidCredential } from "./credentials.ts";

/** Readable by anyone, from any web page. */
export function isOpen(entry: Endpoint | Family): boolean {
  if (isFamily(entry)) return [...entry.members.values()].some(isOpen);
  return isPublicRead(entry);
}

/** Facts about a call that its `Request` does not carry. */
export type Origin = { address: string };

/** What came with a call, apart from its input. */
export type Sent = {
  headers: ApiRequest["headers"];
  /** What the `alsoLimit` of the endpoint looks at. */
  query: URLSearchParams;
  /** The `public_id` that was sent along with the credential, wherever it was. */
  publicId?: unknown;
  /** What carries the call: a token for one of them is refused at the others. Default: the API itself. */
  through?: AccessResource | "static_mcp";
};

type Count = (names: LimitName[], actor?: Actor) => Promise<void>;

/**
 * Identifies the caller and counts the call. A credential's own limits apply once it is known to be valid: a made-up one gets
 * no count of its own and writes nothing to the database. Failures count against the address; that count never refuses a valid
 * credential.
 * @throws ApiError rate_limited, and whatever `authenticate` throws
 */
export async function admit(
  endpoint: Endpoint,
  { headers, query, publicId, through = "api" }: Sent,
  bearer: Bearer,
  value: Record<string, unknown> | undefined,
  count: Count,
): Promise<Actor> {
  const takesClaimToken = endpoint.limit === "claim" && typeof value?.claim_token === "string";
  let actor: Actor | undefined;
  try {
    actor = await authenticate(endpoint, headers, bearer, publicId);
    if (!isFor(through, actor)) throw invalidCredential(endpoint.auth, bearer);
    // A claim token is a credential, although it arrives as a field.
    if (takesClaimToken) await findClaimLink(normalizeText(value.claim_token as string));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A missing credential is not a guess. Neither is an ended session: browsers keep sending those.
    if (!isUnknownCredential(error) || (!actor && bearer.kind === "none"))
      await count([usualLimit(endpoint, bearer)], actor);
    else await count(actor ? ["credential_failure", "claim_failure"] : ["credential_failure"], actor);
    throw error;
  }
  const isUsual = (endpoint.limit === "claim" && !takesClaimToken) || (await endpoint.hasUsualLimit?.(actor)) === true;
  const also = await endpoint.alsoLimit?.(query);
  await count(isUsual ? [usualLimit(endpoint, bearer)] : limitsOf(endpoint, bearer, also), actor);
  return actor;
}

/** Tokens that programs got by OAuth are for one resource; those made by hand are for all but `/mcp/connect`. */
export function isFor(through: NonNullable<Sent["through"]>, actor: Actor): boolean {
  const access = accessOfActor(actor);
  return access?.resource ? access.resource === through : through !== "mcp";
}

export function isUnknownCredential(error: unknown): boolean {
  return error instanceof ApiError && error.code === "invalid_credential";
}

function limitsOf(endpoint: Endpoint, bearer: Bearer, also: LimitName | undefined): LimitName[] {
  const own = endpoint.limit ?? usualLimit(endpoint, bearer);
  return also ? [own, also] : [own];
}

function usualLimit(endpoint: Endpoint, bearer: Bearer): LimitName {
  if (endpoint.method !== "GET") return "service_write";
  return isOpen(endpoint) && bearer.kind === "none" ? "public_read" : "service_read";
}

/** Known credentials and sessions have their own counts, and owners one for all their sessions; everyone else is counted by address. */
export function limitKey(actor: Actor | undefined, { address }: Origin): (name: LimitName) => string {
  const credential = actor && credentialOf(actor);
  return (name) => {
    const { per } = LIMITS[name];
    if (per === "owner" && actor?.kind === "owner") return actor.id;
    return credential && per === "credential" ? credential : `ip:${address}`;
  };
}

function credentialOf(actor: Actor): string | undefined {
  if (actor.kind === "visitor") return undefined;
  return `${actor.kind}:${actor.kind === "owner" ? actor.sessionId : actor.id}`;
}
