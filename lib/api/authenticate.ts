import { findServiceActor } from "#lib/identity/read.ts";
import type { ServiceActor } from "#lib/kernel/actor.ts";
import type { Auth } from "#lib/kernel/endpoint.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { digestSecret, isWellFormedSecret } from "#lib/kernel/secrets.ts";

const PUBLIC_ID = idPattern("agt");

/** The bearer credential of a request: absent, malformed, or a well-formed management token. */
export type Bearer = { kind: "none" } | { kind: "malformed" } | { kind: "token"; digest: Buffer };

export function readBearer(authorization: string | null): Bearer {
  if (authorization === null) return { kind: "none" };
  const token = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (!token || !isWellFormedSecret("ghm", token)) return { kind: "malformed" };
  return { kind: "token", digest: digestSecret(token) };
}

const refusal = () =>
  new ApiError(
    "invalid_credential",
    "Send the identity's management token as Authorization: Bearer, with its own public_id.",
  );

/**
 * The identity that calls, or nobody where that is allowed. A token sent with another identity's `public_id` is refused
 * like an unknown one; an absent or malformed `public_id` is left to the input check.
 * @throws ApiError invalid_credential, identity_suspended
 */
export async function authenticate(
  auth: Auth,
  bearer: Bearer,
  publicId: unknown,
): Promise<ServiceActor | { kind: "visitor" }> {
  if (auth === "public") return { kind: "visitor" };
  if (bearer.kind === "none" && auth === "optional") return { kind: "visitor" };
  if (bearer.kind !== "token") throw refusal();
  const actor = await findServiceActor(bearer.digest);
  if (!actor) throw refusal();
  if (typeof publicId === "string" && PUBLIC_ID.test(publicId) && publicId !== actor.id) throw refusal();
  if (actor.suspended) {
    throw new ApiError(
      "identity_suspended",
      "This identity is suspended. Ask the administrator of this service to restore it.",
    );
  }
  return actor;
}
