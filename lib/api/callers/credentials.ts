import { type Auth, accessOf, type Credential } from "#lib/kernel/access.ts";
import { ApiError, invalidInput } from "#lib/kernel/errors.ts";
import { type Digests, digestsOf, isWellFormedSecret, type SecretPrefix } from "#lib/kernel/secrets.ts";
import type { ApiRequest } from "../exchange.ts";

/**
 * The bearer credential of a request: absent; in a header of another form than `Bearer …`; malformed (or of another kind); or
 * well-formed, as its digests.
 */
export type Bearer =
  | { kind: "none" | "no_bearer" | "malformed" }
  | ({ kind: "secret"; credential: Credential } & Digests);

const PREFIXES = { management_token: "ghm", access_token: "gha", community_key: "ghc" } as const satisfies Record<
  Credential,
  SecretPrefix
>;

/**
 * Reads the credential that this kind of access looks for.
 * @throws ApiError invalid_input when header and body carry different ones
 */
export function readBearer(
  auth: Auth,
  headers: ApiRequest["headers"],
  body: Record<string, unknown> | undefined,
): Bearer {
  const { bearer: name, orBearer: other, bearerInBody } = accessOf(auth);
  if (!name) return NO_BEARER;
  const authorization = headers.get("authorization");
  const inHeader = authorization === null ? undefined : (/^Bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? "");
  const field = bearerInBody && body?.[name];
  const inBody = typeof field === "string" ? field.trim() : undefined;
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody) {
    throw invalidInput(name, "must be the same as in the Authorization header");
  }
  // An empty field counts as absent.
  const sent = inHeader ?? (inBody || undefined);
  if (sent === undefined) return NO_BEARER;
  const asWell = name === "management_token" ? "access_token" : undefined;
  const credential = ([name, asWell, other] as const).find((one) => one && isWellFormedSecret(PREFIXES[one], sent));
  if (credential) return { kind: "secret", credential, ...digestsOf(sent) };
  return { kind: sent === "" ? "no_bearer" : "malformed" };
}

const NO_BEARER: Bearer = { kind: "none" };

const TOKEN = "the identity's management token (ghm_…) or an access token (gha_…)";
const KEY = "the profile's community key (ghc_…)";
const IN_HEADER = "in the header Authorization: Bearer";

const EXPECTED: Record<Auth, string> = {
  public: "",
  public_browser: "",
  optional: `Send ${TOKEN} ${IN_HEADER}, with its own public_id.`,
  service: `Send ${TOKEN} ${IN_HEADER}, with its own public_id.`,
  service_or_administrator: `Send ${TOKEN} ${IN_HEADER}.`,
  bearer: `Send ${TOKEN} ${IN_HEADER}.`,
  agent: `Send ${TOKEN} with its own public_id, or ${KEY}, ${IN_HEADER}.`,
  community: `Send ${KEY} ${IN_HEADER}.`,
  community_or_owner: `Send ${KEY} ${IN_HEADER}, or sign in as the profile's owner.`,
  service_or_owner: `Send ${TOKEN} ${IN_HEADER} with its own public_id, or sign in as the agent's owner.`,
  management_or_owner: `Send ${TOKEN} ${IN_HEADER} with its own public_id, or sign in as an owner.`,
  owner: "Sign in first. This needs an active owner session.",
  owner_browser: "Sign in first. This needs an active owner session.",
  owner_second_step: "This sign-in has expired or was already completed. Sign in again.",
  administrator: "",
};

/** What was wrong with the credential. An unknown one and another identity's are not told apart. */
const FOUND: Record<Bearer["kind"], string> = {
  none: "There is no Authorization header. ",
  no_bearer: "The Authorization header does not have the form Bearer, a space and the token. ",
  malformed:
    "This credential has the wrong form: it is of another kind, incomplete, in quotation marks, or a shell variable that was not filled in. ",
  secret:
    "This credential is unknown, or belongs to another public_id; an access token may have expired or been removed. ",
};

/** @param bearer what was sent, where a bearer credential is looked for */
export function invalidCredential(auth: Auth, bearer?: Bearer): ApiError {
  return new ApiError("invalid_credential", `${bearer ? FOUND[bearer.kind] : ""}${EXPECTED[auth]}`);
}
