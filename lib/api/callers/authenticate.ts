import { findProfileActor } from "#lib/community/read.ts";
import { type HoldFacts, holdGate, holdOn } from "#lib/identity/holds.ts";
import { findAccessActor, findServiceActor } from "#lib/identity/read.ts";
import { accessOf } from "#lib/kernel/access.ts";
import type { Actor, AdministratorActor, OwnerActor, ProfileActor, ServiceActor } from "#lib/kernel/actor.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, gateRefused, notFound } from "#lib/kernel/errors.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { normalizeText } from "#lib/kernel/text.ts";
import { lacksRequiredFactor } from "#lib/owners/sessions/confirmation.ts";
import { findAwaitingFactor, findOwnerActor, isCsrfTokenOf } from "#lib/owners/sessions/session.ts";
import type { ApiRequest } from "../exchange.ts";
import { type Bearer, invalidCredential } from "./credentials.ts";
import { requireScope } from "./scopes.ts";

type Headers = ApiRequest["headers"];

const PUBLIC_ID = idPattern("agt");

/**
 * Identifies the caller in the way that this endpoint requires.
 * @throws ApiError invalid_credential, identity_suspended, gate_refused, csrf_failed, not_found
 */
export async function authenticate(
  endpoint: Endpoint,
  headers: Headers,
  bearer: Bearer,
  publicId: unknown,
): Promise<Actor> {
  const { anonymous, session, ownPages } = accessOf(endpoint.auth);
  if (bearer.kind === "none" && anonymous) {
    if (ownPages && headers.get("origin") !== env().baseUrl) throw csrfFailed();
    return { kind: "visitor" };
  }
  if (bearer.kind === "none" && session)
    return session === "administrator" ? administrator(endpoint, headers) : owner(endpoint, headers);
  const isKey = bearer.kind === "secret" && bearer.credential === "community_key";
  return isKey ? profile(endpoint, bearer, publicId) : service(endpoint, bearer, publicId);
}

/** A token sent with another identity's `public_id` is refused like an unknown token; a malformed `public_id` is left to the input check. */
async function service(endpoint: Endpoint, bearer: Bearer, publicId: unknown): Promise<ServiceActor> {
  const actor = bearer.kind === "secret" ? await findCaller(bearer) : undefined;
  if (!actor || isAnother(publicId, actor.id)) throw invalidCredential(endpoint.auth, bearer);
  // The caller may be a thief, so even reading is refused.
  if (actor.leaked) throw held(actor);
  if (actor.suspended) {
    throw new ApiError(
      "identity_suspended",
      "This identity is suspended. Ask the administrator of this service to restore it.",
    );
  }
  requireScope(endpoint, actor);
  refuseFrozen(endpoint, actor);
  return actor;
}

function findCaller(token: Bearer & { kind: "secret" }): Promise<ServiceActor | undefined> {
  return token.credential === "access_token" ? findAccessActor(token) : findServiceActor(token);
}

async function profile(
  endpoint: Endpoint,
  bearer: Bearer & { kind: "secret" },
  publicId: unknown,
): Promise<ProfileActor> {
  const actor = await findProfileActor(bearer);
  if (!actor || (!endpoint.namesAnother && isAnother(publicId, actor.id)))
    throw invalidCredential(endpoint.auth, bearer);
  refuseFrozen(endpoint, actor);
  return actor;
}

/**
 * The credentials of a frozen agent can only read. Endpoints that evaluate gates report the freeze with their other gates.
 */
function refuseFrozen({ method, errors }: Endpoint, { frozen }: Pick<ServiceActor, "frozen">): void {
  if (frozen && method !== "GET" && !errors.includes("gate_refused"))
    throw held({ frozen, held: false, leaked: false });
}

function held(facts: HoldFacts): ApiError {
  const hold = holdOn(facts);
  return gateRefused(hold ? [holdGate(hold)] : []);
}

function isAnother(publicId: unknown, id: string): boolean {
  // Normalised as the input check does it, so that white space cannot hide another identity.
  const named = typeof publicId === "string" ? normalizeText(publicId) : "";
  return PUBLIC_ID.test(named) && named !== id;
}

/**
 * The session's owner, signed in or about to give the second factor. A write must come from the service's own pages: exact Origin and the
 * session's CSRF token. Where only a session is accepted, a request without those headers is refused before the session is looked at.
 */
async function owner({ auth, method }: Endpoint, headers: Headers): Promise<OwnerActor> {
  const { bearer, session, ownPages } = accessOf(auth);
  if (ownPages && !bearer) requireCsrfHeaders(headers);
  const find = session === "awaiting_factor" ? findAwaitingFactor : findOwnerActor;
  const actor = await find(headers.get("cookie"));
  if (!actor) throw invalidCredential(auth);
  if (method === "POST") requireOwnPages(headers, actor);
  return actor;
}

/**
 * @param missing what everyone but administrators is told, as for any missing path
 * @throws ApiError not_found to everyone but administrators; forbidden (second_factor_required) to an
 *   administrator who still has to set up a second factor
 */
export async function requireAdministrator(headers: Headers, missing = notFound()): Promise<OwnerActor> {
  const actor = await findOwnerActor(headers.get("cookie"));
  if (actor?.role !== "administrator") throw missing;
  if (lacksRequiredFactor(actor)) {
    throw new ApiError("forbidden", "Administrators need a second factor here. Set one up under /workspace/account.", {
      reason: "second_factor_required",
    });
  }
  return actor;
}

async function administrator({ auth }: Endpoint, headers: Headers): Promise<AdministratorActor> {
  const { bearer, ownPages } = accessOf(auth);
  const actor = await requireAdministrator(headers, bearer ? invalidCredential(auth, { kind: "none" }) : notFound());
  // Without ownPages, the administrator follows a link, which only reads.
  if (ownPages) requireOwnPages(headers, actor);
  const { id, name, confirmedAt, hasSecondFactor } = actor;
  return { kind: "administrator", id, name, session: { confirmedAt, hasSecondFactor } };
}

function requireOwnPages(headers: Headers, actor: OwnerActor): void {
  requireCsrfHeaders(headers);
  const sent = headers.get("x-csrf-token") ?? "";
  if (headers.get("origin") !== env().baseUrl || !isCsrfTokenOf(actor, sent)) throw csrfFailed();
}

function requireCsrfHeaders(headers: Headers): void {
  if (!headers.get("origin") || !headers.get("x-csrf-token")) throw csrfFailed();
}

function csrfFailed(): ApiError {
  return new ApiError(
    "csrf_failed",
    "This request must come from the service's own pages, with its exact Origin and the session's X-CSRF-Token (see view=session).",
  );
}
