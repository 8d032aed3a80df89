export type Credential = "management_token" | "access_token" | "community_key";

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
};

/**
 * Who may call an endpoint. Documented errors, the OpenAPI document and the examples follow from this table;
 * `lib/api/callers/authenticate.ts` has a case for each row.
 * `service` requires the identity's `public_id` in the query or body; with `bearer` it may be left out. `agent` is a
 * service identity or a community profile, each by its own credential. With `optional`, a valid
 * credential may show more. `owner` is for reading. `owner_browser` looks at the session alone, whatever else is sent. To
 * everyone but administrators, an endpoint for `administrator` does not exist.
 */
const ACCESS = {
  public: { anonymous: true },
  public_browser: { anonymous: true, ownPages: true },
  optional: { anonymous: true, bearer: "management_token" },
  service: { bearer: "management_token" },
  service_or_administrator: { bearer: "management_token", session: "administrator" },
  bearer: { bearer: "management_token" },
  agent: { bearer: "management_token", orBearer: "community_key" },
  community: { bearer: "community_key", bearerInBody: true },
  community_or_owner: { bearer: "community_key", bearerInBody: true, session: "owner", ownPages: true },
  service_or_owner: { bearer: "management_token", session: "owner", ownPages: true },
  management_or_owner: { bearer: "management_token", bearerInBody: true, session: "owner", ownPages: true },
  owner: { session: "owner" },
  owner_browser: { session: "owner", ownPages: true },
  owner_second_step: { session: "awaiting_factor", ownPages: true },
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
