import { findProfileActor } from "#lib/community/read.ts";
import { type HoldFacts, holdGate, holdOn } from "#lib/identity/holds.ts";
import { findAccessActor, findServiceActor } from "#lib/identity/read.ts";
import type { Auth } from "#lib/kernel/access.ts";
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
  const { auth } = endpoint;
  switch (auth) {
    case "public":
      return { kind: "visitor" };
    case "public_browser":
      if (headers.get("origin") !== env().baseUrl) throw csrfFailed();
      return { kind: "visitor" };
    case "optional":
      return bearer.kind === "none" ? { kind: "visitor" } : service(endpoint, bearer, publicId);
    case "service_or_administrator":
      return bearer.kind === "none" ? downloader(auth, headers) : service(endpoint, bearer, publicId);
    case "service":
    case "bearer":
      return service(endpoint, bearer, publicId);
    case "agent":
      return bearer.kind === "secret" && bearer.credential === "community_key"
        ? profile(endpoint, bearer, publicId)
        : service(endpoint, bearer, publicId);
    case "community":
      return profile(endpoint, bearer, publicId);
    case "community_or_owner":
      if (bearer.kind === "none") return owner(auth, headers, endpoint);
      return profile(endpoint, bearer, endpoint.namesAnother ? undefined : publicId);
    case "service_or_owner":
    case "management_or_owner":
      return bearer.kind === "none" ? owner(auth, headers, endpoint) : service(endpoint, bearer, publicId);
    case "owner":
      return owner(auth, headers, endpoint);
    case "owner_browser":
      requireCsrfHeaders(headers);
      return owner(auth, headers, endpoint);
    case "owner_second_step":
      return awaitingFactor(auth, headers);
    case "administrator":
      return administrator(headers);
  }
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

async function profile(endpoint: Endpoint, bearer: Bearer, publicId: unknown): Promise<ProfileActor> {
  const actor = bearer.kind === "secret" ? await findProfileActor(bearer) : undefined;
  if (!actor || isAnother(publicId, actor.id)) throw invalidCredential(endpoint.auth, bearer);
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

/** The session's owner. A write must come from the service's own pages: exact Origin and the session's CSRF token. */
async function owner(auth: Auth, headers: Headers, endpoint: Endpoint): Promise<OwnerActor> {
  const actor = await findOwnerActor(headers.get("cookie"));
  if (!actor) throw invalidCredential(auth);
  if (endpoint.method === "POST") requireOwnPages(headers, actor);
  return actor;
}

async function awaitingFactor(auth: Auth, headers: Headers): Promise<OwnerActor> {
  requireCsrfHeaders(headers);
  const actor = await findAwaitingFactor(headers.get("cookie"));
  if (!actor) throw invalidCredential(auth);
  requireOwnPages(headers, actor);
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

/** An administrator who follows a link: it only reads, so it need not come from the service's own pages. */
async function downloader(auth: Auth, headers: Headers): Promise<AdministratorActor> {
  const { id, name } = await requireAdministrator(headers, invalidCredential(auth, { kind: "none" }));
  return { kind: "administrator", id, name };
}

async function administrator(headers: Headers): Promise<AdministratorActor> {
  const actor = await requireAdministrator(headers);
  requireOwnPages(headers, actor);
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
