import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import { env } from "#lib/kernel/env.ts";

type Options = { challenge: string; rpId?: string; rp?: { id: string }; user?: { id: string } };

const [USER_PRESENT, USER_VERIFIED, HAS_CREDENTIAL] = [0x01, 0x04, 0x40];

/** The parts that make an answer valid; a test can make each of them wrong. */
type Forgery = {
  origin?: string;
  challenge?: string;
  rpId?: string;
  type?: string;
  /** The statement of the attestation, and its format. */
  attestation?: { format: string; statement: Map<string, unknown> };
  flags?: number;
  userHandle?: string | null;
};

/** A software passkey: answers WebAuthn's options like a browser and its authenticator. */
export class Authenticator {
  readonly id = randomBytes(32).toString("base64url");
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #flags: number;
  userHandle: string | undefined;
  /** Grows with each use; 0 means that the authenticator keeps no counter. */
  counter: number;

  constructor({ verifiesUser = true, counter = 1 }: { verifiesUser?: boolean; counter?: number } = {}) {
    this.#flags = USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0);
    this.counter = counter;
  }

  /** Like `navigator.credentials.create`. */
  create(options: object, forgery: Forgery = {}) {
    const { rp, user } = options as Options;
    this.userHandle = user?.id;
    const credentialId = Buffer.from(this.id, "base64url");
    const { x, y } = this.#keys.publicKey.export({ format: "jwk" }) as { x: string; y: string };
    const publicKey = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]);
    const authData = Buffer.concat([
      this.#head(forgery.rpId ?? rp?.id ?? "", HAS_CREDENTIAL | (forgery.flags ?? this.#flags)),
      Buffer.alloc(16),
      Buffer.from([credentialId.length >> 8, credentialId.length & 255]),
      credentialId,
      isoCBOR.encode(publicKey),
    ]);
    const { format = "none", statement = new Map() } = forgery.attestation ?? {};
    const attestation = new Map<string, unknown>([
      ["fmt", format],
      ["attStmt", statement],
      ["authData", Uint8Array.from(authData)],
    ]);
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key" as const,
      response: {
        clientDataJSON: clientData("webauthn.create", options as Options, forgery),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])).toString(
          "base64url",
        ),
        transports: ["internal"],
      },
      clientExtensionResults: {},
    };
  }

  /** Like `navigator.credentials.get`. */
  get(options: object, forgery: Forgery = {}) {
    const { rpId } = options as Options;
    if (this.counter > 0) this.counter += 1;
    const authenticatorData = this.#head(forgery.rpId ?? rpId ?? "", forgery.flags ?? this.#flags);
    const client = clientData("webauthn.get", options as Options, forgery);
    const signature = createSign("sha256")
      .update(authenticatorData)
      .update(createHash("sha256").update(Buffer.from(client, "base64url")).digest())
      .sign(this.#keys.privateKey);
    const userHandle = forgery.userHandle === undefined ? this.userHandle : forgery.userHandle;
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key" as const,
      response: {
        clientDataJSON: client,
        authenticatorData: authenticatorData.toString("base64url"),
        signature: signature.toString("base64url"),
        ...(userHandle ? { userHandle } : {}),
      },
      clientExtensionResults: {},
    };
  }

  #head(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags]), counter]);
  }
}

function bytes(base64url: string): Uint8Array {
  return Uint8Array.from(Buffer.from(base64url, "base64url"));
}

function clientData(type: string, { challenge }: Options, forgery: Forgery): string {
  const data = { type, challenge, origin: env().baseUrl, crossOrigin: false };
  const { rpId: _, attestation: __, flags: ___, userHandle: ____, ...wrong } = forgery;
  return Buffer.from(JSON.stringify({ ...data, ...wrong })).toString("base64url");
}
