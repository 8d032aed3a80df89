import { type Auth, accessOf, type Credential } from "#lib/kernel/access.ts";
import { ApiError, invalidInput } from "#lib/kernel/errors.ts";
import { type Digests, digestsOf, isWellFormedSecret, type SecretPrefix } from "#lib/kernel/secrets.ts";
import type { ApiRequest } from "../exchange.ts";

/** The bearer credential of a request: absent, malformed (or of another kind), or well-formed; a well-formed one as its digests. */
export type Bearer = { kind: "none" } | { kind: "malformed" } | ({ kind: "secret"; credential: Credential } & Digests);

const PREFIXES = { management_token: "ghm", community_key: "ghc" } as const satisfies Record<Credential, SecretPrefix>;

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
  const credential = [name, other].find((one) => one && isWellFormedSecret(PREFIXES[one], sent));
  return credential ? { kind: "secret", credential, ...digestsOf(sent) } : { kind: "malformed" };
}

const NO_BEARER: Bearer = { kind: "none" };

export function invalidCredential(auth: Auth): ApiError {
  const expected = {
    public: "",
    public_browser: "",
    optional: "Send the identity's management token as Authorization: Bearer, with its own public_id.",
    service: "Send the identity's management token as Authorization: Bearer, with its own public_id.",
    bearer: "Send the identity's management token as Authorization: Bearer.",
    agent:
      "Send the identity's management token with its own public_id, or the profile's community key, as Authorization: Bearer.",
    community: "Send the community key as Authorization: Bearer.",
    community_or_owner: "Send the community key as Authorization: Bearer, or sign in as the profile's owner.",
    management_or_owner:
      "Send the identity's management token as Authorization: Bearer with its own public_id, or sign in as an owner.",
    owner: "Sign in first. This needs an active owner session.",
    owner_browser: "Sign in first. This needs an active owner session.",
    owner_second_step: "This sign-in has expired or was already completed. Sign in again.",
    administrator: "",
  };
  return new ApiError("invalid_credential", expected[auth]);
}
