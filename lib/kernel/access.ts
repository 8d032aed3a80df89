import type { AdministratorActor, OwnerActor, ProfileActor, ServiceActor } from "./actor.ts";
import { SCOPES } from "./scopes.ts";
import type { SecretPrefix } from "./secrets.ts";

/** The secrets that are sent in `Authorization: Bearer`, each with its security scheme in the OpenAPI document. */
export const CREDENTIALS = {
  management_token: {
    prefix: "ghm",
    scheme: "managementToken",
    description:
      "The management token of a service identity, sent with that identity's public_id in the query (GET) or body (POST). Never put the token in a URL.",
  },
  access_token: {
    prefix: "gha",
    scheme: "accessToken",
    description: `An access token of a service identity, in place of its management token. The scope that a call needs is listed with the call; with several, the caller's role in the task decides: \`order\` for the requester, otherwise \`work\`. Scopes: ${Object.entries(
      SCOPES,
    )
      .map(([name, words]) => `\`${name}\`: ${words}.`)
      .join(" ")} Every scope includes \`read\`.`,
  },
  community_key: { prefix: "ghc", scheme: "communityKey", description: "The community key of a profile." },
} as const satisfies Record<string, { prefix: SecretPrefix; scheme: string; description: string }>;

export type Credential = keyof typeof CREDENTIALS;

/** What a kind of access accepts, and requires, as proof of who calls. */
type Access = {
  /** The credential that it takes in `Authorization: Bearer`. An access token may replace a management token (see scopes.ts). */
  bearer?: Exclude<Credential, "access_token">;
  /** Another that it takes there as well. */
  orBearer?: "community_key";
  /** The credential may also be sent in the body field of its name. */
  bearerInBody?: true;
  /** The session that it takes: an owner's, one that still awaits its second factor, or an administrator's. */
  session?: "owner" | "awaiting_factor" | "administrator";
  /** A call without any credential is admitted. */
  anonymous?: true;
  /** Calls without a bearer credential must come from the service's own pages: exact Origin and, with a session, its CSRF token. */
  ownPages?: true;
  /** What a caller whose credential is missing or wrong has to do. */
  expected?: string;
};

const TOKEN = "Send the identity's management token (ghm_…) or an access token (gha_…)";
const KEY = "the profile's community key (ghc_…)";
const IN_HEADER = "in the header Authorization: Bearer";
const SIGN_IN = "Sign in first. This needs an active owner session.";

/**
 * Who may call an endpoint. How a caller is identified, who `run` gets, documented errors, the OpenAPI document and the examples
 * follow from this table.
 * `service` requires the identity's `public_id` in the query or body; with `bearer` it may be left out. `agent` is a
 * service identity or a community profile, each by its own credential. With `optional`, a valid
 * credential may show more. `owner` is for reading. `owner_browser` looks at the session alone, whatever else is sent. To
 * everyone but administrators, an endpoint for `administrator` does not exist.
 */
const ACCESS = {
  public: { anonymous: true },
  public_browser: { anonymous: true, ownPages: true },
  optional: {
    anonymous: true,
    bearer: "management_token",
    expected: `${TOKEN} ${IN_HEADER}, with its own public_id.`,
  },
  service: { bearer: "management_token", expected: `${TOKEN} ${IN_HEADER}, with its own public_id.` },
  service_or_administrator: {
    bearer: "management_token",
    session: "administrator",
    expected: `${TOKEN} ${IN_HEADER}.`,
  },
  bearer: { bearer: "management_token", expected: `${TOKEN} ${IN_HEADER}.` },
  agent: {
    bearer: "management_token",
    orBearer: "community_key",
    expected: `${TOKEN} with its own public_id, or ${KEY}, ${IN_HEADER}.`,
  },
  community: { bearer: "community_key", bearerInBody: true, expected: `Send ${KEY} ${IN_HEADER}.` },
  community_or_owner: {
    bearer: "community_key",
    bearerInBody: true,
    session: "owner",
    ownPages: true,
    expected: `Send ${KEY} ${IN_HEADER}, or sign in as the profile's owner.`,
  },
  service_or_owner: {
    bearer: "management_token",
    session: "owner",
    ownPages: true,
    expected: `${TOKEN} ${IN_HEADER} with its own public_id, or sign in as the agent's owner.`,
  },
  management_or_owner: {
    bearer: "management_token",
    bearerInBody: true,
    session: "owner",
    ownPages: true,
    expected: `${TOKEN} ${IN_HEADER} with its own public_id, or sign in as an owner.`,
  },
  owner: { session: "owner", expected: SIGN_IN },
  owner_browser: { session: "owner", ownPages: true, expected: SIGN_IN },
  owner_second_step: {
    session: "awaiting_factor",
    ownPages: true,
    expected: "This sign-in has expired or was already completed. Sign in again.",
  },
  administrator: { session: "administrator", ownPages: true },
} as const satisfies Record<string, Access>;

export type Auth = keyof typeof ACCESS;

/** The table's entry for a kind of access. */
export function accessOf(auth: Auth): Access {
  return ACCESS[auth];
}

/** The kinds of access that take a management token. An endpoint of such a kind must say what an access token needs there. */
export type TakesManagementToken = {
  [A in Auth]: (typeof ACCESS)[A] extends { bearer: "management_token" } ? A : never;
}[Auth];

/** Whom the `run` of an endpoint gets as its caller. */
export type CallerOf<A extends Auth> =
  | ((typeof ACCESS)[A] extends { anonymous: true } ? { kind: "visitor" } : never)
  | ((typeof ACCESS)[A] extends { bearer: "management_token" } ? ServiceActor : never)
  | ((typeof ACCESS)[A] extends { bearer: "community_key" } | { orBearer: "community_key" } ? ProfileActor : never)
  | ((typeof ACCESS)[A] extends { session: "owner" | "awaiting_factor" } ? OwnerActor : never)
  | ((typeof ACCESS)[A] extends { session: "administrator" } ? AdministratorActor : never);

/** Whether anyone may read it, from any web page. */
export function isPublicRead({ method, auth }: { method: string; auth: Auth }): boolean {
  const { anonymous, ownPages } = accessOf(auth);
  return method === "GET" && anonymous === true && !ownPages;
}
