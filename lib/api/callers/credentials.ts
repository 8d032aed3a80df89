import { type Auth, accessOf, CREDENTIALS, type Credential } from "#lib/kernel/access.ts";
import { ApiError, invalidInput } from "#lib/kernel/errors.ts";
import { type Digests, digestsOf, isWellFormedSecret } from "#lib/kernel/secrets.ts";
import type { ApiRequest } from "../exchange.ts";

/**
 * The bearer credential of a request: absent; in a header of another form than `Bearer …`; malformed (or of another kind); or
 * well-formed, as its digests.
 */
export type Bearer =
  | { kind: "none" | "no_bearer" | "malformed" }
  | ({ kind: "secret"; credential: Credential } & Digests);

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
  const credential = ([name, asWell, other] as const).find(
    (one) => one && isWellFormedSecret(CREDENTIALS[one].prefix, sent),
  );
  if (credential) return { kind: "secret", credential, ...digestsOf(sent) };
  return { kind: sent === "" ? "no_bearer" : "malformed" };
}

const NO_BEARER: Bearer = { kind: "none" };

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
  return new ApiError("invalid_credential", `${bearer ? FOUND[bearer.kind] : ""}${accessOf(auth).expected ?? ""}`);
}
