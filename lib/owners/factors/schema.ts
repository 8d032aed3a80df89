import { z } from "zod";
import { line, Timestamp, text, verbatim } from "#lib/kernel/fields.ts";
import { MAX_PASSWORD } from "../schema.ts";

/** How many passkeys an account can have. */
export const MAX_PASSKEYS = 10;
/** How many recovery codes an account gets at once. */
export const RECOVERY_CODES = 10;

/** Base64url without padding, as WebAuthn's JSON forms write bytes. */
function bytes(maxCharacters: number) {
  return z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, "must be base64url")
    .max(maxCharacters, `must have at most ${maxCharacters} characters`);
}

/** WebAuthn allows credential IDs of up to 1,023 bytes. */
const CredentialId = bytes(1_364);
const ClientData = bytes(4_000).meta({ description: "What the browser signed: challenge, origin and type." });
/** What the browser's answers have in common. */
const credential = {
  id: CredentialId.meta({ description: "The passkey's ID." }),
  rawId: CredentialId.meta({ description: "The same as `id`." }),
  type: z.literal("public-key").meta({ description: "WebAuthn's only kind of credential." }),
};

const PasskeyName = line(60).meta({
  description: "The owner's name for the passkey, up to 60 characters on one line.",
});

export const Passkey = z
  .object({
    passkey_id: CredentialId.meta({ description: "The WebAuthn credential ID, base64url." }),
    name: PasskeyName,
    created_at: Timestamp.describe("When it was added."),
    last_used_at: Timestamp.nullable().meta({ description: "When it last signed in or confirmed; null if never." }),
    backed_up: z.boolean().meta({ description: "Whether the authenticator copies it to the owner's other devices." }),
  })
  .meta({ description: "A passkey, without its key." });

const RecoveryCodesLeft = z
  .int()
  .min(0)
  .max(RECOVERY_CODES)
  .meta({ description: `How many recovery codes are unused, 0 to ${RECOVERY_CODES}.` });

export const Code = z
  .string()
  .regex(/^\d{3} ?\d{3}$/, "must be the 6 digits that your authenticator app shows")
  .transform((value) => value.replace(" ", ""))
  .meta({ description: "The 6 digits that the authenticator app shows. Each code works once." });

const RecoveryCode = z
  .string()
  .regex(/^[0-9A-Za-z -]{10,24}$/, "must be a recovery code, such as k3v9d-x7m2q")
  .meta({ description: "An unused recovery code. Case, hyphens and spaces don't matter. Each code works once." });

/** The JSON form of what `navigator.credentials.get` returns; other fields are ignored. */
export const PasskeyAssertion = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: ClientData,
        authenticatorData: bytes(4_000).meta({ description: "The authenticator's data, including its counter." }),
        signature: bytes(4_000).meta({ description: "The authenticator's signature over both." }),
        userHandle: bytes(100).nullish().meta({ description: "The account that the passkey was made for." }),
      })
      .meta({ description: "The authenticator's answer; each field is base64url." }),
  })
  .meta({ description: "A WebAuthn AuthenticationResponseJSON: the answer to a challenge." });

/** The JSON form of what `navigator.credentials.create` returns; other fields are ignored. */
export const PasskeyAttestation = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: ClientData,
        attestationObject: bytes(8_000).meta({ description: "The new public key. No attestation is requested." }),
        transports: z
          .array(z.string().max(30))
          .max(10)
          .optional()
          .meta({ description: "How browsers reach the authenticator, such as `internal` or `usb`." }),
      })
      .meta({ description: "The authenticator's answer; byte fields are base64url." }),
  })
  .meta({ description: "A WebAuthn RegistrationResponseJSON: the new passkey." });

const challenge = z
  .string()
  .meta({ description: "The challenge to sign, base64url. It works once, within 5 minutes." });
const CreationOptions = z
  .looseObject({ challenge })
  .meta({ description: "A WebAuthn PublicKeyCredentialCreationOptionsJSON, for `navigator.credentials.create`." });
const RequestOptions = z
  .looseObject({ challenge })
  .meta({ description: "A WebAuthn PublicKeyCredentialRequestOptionsJSON, for `navigator.credentials.get`." });

export const ConfirmWith = z
  .enum(["passkey", "code", "recovery_code", "password"])
  .meta({ description: "The name of a field of `owners/step_up.php`." });

const ConfirmedUntil = Timestamp.nullable().meta({
  description: "Until when this session is confirmed, 5 minutes at most; null if it is not.",
});

const recoveryCodes = z.array(z.string()).length(RECOVERY_CODES);
const FirstRecoveryCodes = recoveryCodes.nullable().meta({
  description: `${RECOVERY_CODES} recovery codes, shown once; null unless this is the account's first factor.`,
});

export const FactorsAnswer = z.object({
  passkeys: z
    .array(Passkey)
    .max(MAX_PASSKEYS)
    .meta({ description: `The passkeys, oldest first; at most ${MAX_PASSKEYS}.` }),
  totp: z.boolean().meta({ description: "Whether an authenticator app is set up." }),
  recovery_codes_left: RecoveryCodesLeft,
  confirmed_until: ConfirmedUntil,
  confirm_with: z.array(ConfirmWith).meta({
    description: "The ways to confirm this session. If empty, it can only be confirmed by signing in again.",
  }),
});

export const TotpBeginAnswer = z.object({
  secret: z.string().meta({ description: "The secret in base32, for typing into an authenticator app." }),
  uri: z.string().meta({ description: "The same secret as an `otpauth:` URI." }),
  qr_code: z
    .object({
      modules: z.int().min(21).max(177).meta({ description: "Width and height in modules, including the margin." }),
      path: z.string().meta({ description: "The dark modules, as the `d` of an SVG path; one unit is one module." }),
    })
    .meta({ description: "The URI as a QR code." }),
});

export const TotpConfirmInput = z.strictObject({ code: Code });
export const TotpConfirmAnswer = z.object({ recovery_codes: FirstRecoveryCodes });

export const RemovedAnswer = z.object({
  has_second_factor: z.boolean().meta({
    description: "Whether the account still has a second factor. Without one, its recovery codes are deleted.",
  }),
});

export const PasskeyOptionsAnswer = z.object({ options: CreationOptions });

export const PasskeyAddInput = z.strictObject({
  passkey: PasskeyAttestation,
  name: PasskeyName.optional().meta({
    description:
      "The owner's name for the passkey, up to 60 characters on one line. By default the browser and system, such as `Firefox on Linux`.",
  }),
});
export const PasskeyAddAnswer = z.object({ passkey: Passkey, recovery_codes: FirstRecoveryCodes });

export const PasskeyRemoveInput = z.strictObject({ passkey_id: Passkey.shape.passkey_id });

export const RecoveryCodesAnswer = z.object({
  recovery_codes: recoveryCodes.meta({
    description: `${RECOVERY_CODES} new recovery codes, shown once. Earlier ones no longer work.`,
  }),
});

/** Requires exactly one of the fields. If none was sent, the error names the first. */
function exactlyOne(value: object, ctx: z.core.$RefinementCtx): void {
  const sent = Object.entries(value).filter(([, field]) => field !== undefined);
  if (sent.length === 1) return;
  const [name] = sent[1] ?? ["code"];
  ctx.addIssue({ code: "custom", path: [name], message: "send exactly one kind of proof" });
}

const proofs = {
  code: Code.optional(),
  recovery_code: RecoveryCode.optional(),
  passkey: PasskeyAssertion.optional(),
};

export const SecondStepInput = z.strictObject(proofs).superRefine(exactlyOne);
export const SecondStepAnswer = z.object({
  recovery_codes_left: RecoveryCodesLeft,
});
export const SecondStepOptionsAnswer = z.object({ options: RequestOptions });

export const StepUpInput = z
  .strictObject({
    ...proofs,
    password: verbatim(
      text(MAX_PASSWORD)
        .optional()
        .meta({
          description: `The password, for accounts without a second factor; at most ${MAX_PASSWORD} characters, taken exactly as sent.`,
        }),
    ),
  })
  .superRefine(exactlyOne);
export const StepUpAnswer = z.object({ confirmed_until: ConfirmedUntil });

export const PasskeySignInInput = z.strictObject({ passkey: PasskeyAssertion });
export const PasskeySignInAnswer = z.object({});

/** One proof of a second factor, with exactly one of its fields. */
export type Proof = z.output<typeof SecondStepInput>;
