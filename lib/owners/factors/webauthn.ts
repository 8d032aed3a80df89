import { isIP } from "node:net";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from "@simplewebauthn/server";
import type { z } from "zod";
import { env } from "#lib/kernel/env.ts";
import type { PasskeyAssertion, PasskeyAttestation } from "./schema.ts";

// WebAuthn without our tables: what to ask a browser, and whether its answer is valid.

export const RP_NAME = "Guildhall";

// Loaded on first use: it takes 26 MB, and many processes never need it.
const library = () => import("@simplewebauthn/server");
const helpers = () => import("@simplewebauthn/server/helpers");

// EdDSA, ES256, RS256. Listed here so that the accepted algorithms don't depend on the runtime.
const ALGORITHMS = [-8, -7, -257];

/** Passkeys belong to this host name, and answers are accepted only from this origin. */
function relyingParty(): { id: string; origin: string } {
  const { baseUrl } = env();
  return { id: new URL(baseUrl).hostname, origin: baseUrl };
}

/** Whether browsers can create passkeys for this service: they refuse IP addresses. */
export function canHavePasskeys(): boolean {
  return isIP(relyingParty().id.replace(/^\[|\]$/g, "")) === 0;
}

type Known = Pick<WebAuthnCredential, "id"> & { transports: string[] };

/**
 * @param ownerId stored in the passkey, which returns it as its user handle
 * @param known the account's passkeys, so that none is created twice
 */
export async function creationOptions(
  { ownerId, email, name }: { ownerId: string; email: string; name: string },
  known: Known[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: relyingParty().id,
    userID: new TextEncoder().encode(ownerId),
    userName: email,
    userDisplayName: name,
    attestationType: "none",
    excludeCredentials: known,
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: 300_000,
  });
}

/** @param known the passkeys that may answer; undefined to let the person choose any of this service's */
export async function requestOptions(
  known: Known[] | undefined,
  userVerification: "required" | "preferred",
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: relyingParty().id,
    userVerification,
    timeout: 300_000,
    ...(known ? { allowCredentials: known } : {}),
  });
}

/** The challenge that an answer claims to be for; undefined when it can't be read. */
export async function challengeOf(clientDataJSON: string): Promise<string | undefined> {
  const { decodeClientDataJSON } = await helpers();
  try {
    const { challenge } = decodeClientDataJSON(clientDataJSON) as { challenge: unknown };
    return typeof challenge === "string" ? challenge : undefined;
  } catch {
    return undefined;
  }
}

type NewPasskey = Pick<WebAuthnCredential, "id" | "counter"> & {
  publicKey: Uint8Array<ArrayBuffer>;
  backedUp: boolean;
};

/** The passkey that a browser created for this challenge; undefined when its answer isn't valid. */
export async function verifyCreation(
  answer: z.output<typeof PasskeyAttestation>,
  challenge: string,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await library();
  const { id, origin } = relyingParty();
  try {
    if (!(await isWithoutCertificates(answer.response.attestationObject))) return undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo) return undefined;
    const { credential, credentialBackedUp } = registrationInfo;
    const publicKey = Uint8Array.from(credential.publicKey);
    return { id: credential.id, publicKey, counter: credential.counter, backedUp: credentialBackedUp };
  } catch {
    // The library throws for anything invalid or unreadable.
    return undefined;
  }
}

/**
 * We request no attestation, so browsers send none, or at most the passkey's own signature. For anything else the library would
 * fetch whatever URLs the sender's certificates name.
 */
async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = decoded.get("fmt");
  return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
}

/** The facts in a valid answer; undefined when it isn't valid. A counter that did not grow makes it invalid. */
export async function verifyRequest(
  answer: z.output<typeof PasskeyAssertion>,
  challenge: string,
  credential: { id: string; publicKey: Uint8Array; counter: number },
  userVerification: "required" | "preferred",
): Promise<{ counter: number; backedUp: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const { id, origin } = relyingParty();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: { ...credential, publicKey: Uint8Array.from(credential.publicKey) },
      requireUserVerification: userVerification === "required",
    });
    if (!verified) return undefined;
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp };
  } catch {
    return undefined;
  }
}
