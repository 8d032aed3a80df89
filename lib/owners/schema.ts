import { z } from "zod";
import { credential, line, PublicId, Timestamp, text } from "#lib/kernel/fields.ts";

const MIN_PASSWORD = 8;
// Bounds the work of hashing; longer than any password manager writes.
export const MAX_PASSWORD = 200;

export const OwnerName = line(100, 2).meta({ description: "2 to 100 characters on one line." });

export const Email = z
  .string()
  .max(254, "must have at most 254 characters")
  .regex(z.regexes.html5Email, "must be an e-mail address, such as name@example.org")
  .transform((value) => value.toLowerCase());

export const Password = text(MAX_PASSWORD, MIN_PASSWORD).meta({
  description: `${MIN_PASSWORD} to ${MAX_PASSWORD} characters of any kind, and not the e-mail address.`,
});

export const RegisterInput = z
  .strictObject({ name: OwnerName, email: Email, password: Password })
  .refine(({ email, password }) => password.toLowerCase() !== email, {
    path: ["password"],
    message: "must not be the e-mail address",
  });

/** The same answer whether or not the e-mail address had an account. */
export const RegisterAnswer = z.object({});

export const PasswordInput = z.strictObject({
  current_password: text(MAX_PASSWORD),
  new_password: Password,
});

export const RevokedAnswer = z.object({
  revoked_sessions: z.int().min(0).meta({ description: "How many sessions ended with this." }),
});

export const ClaimedInput = z.strictObject({ claim_token: credential() });

export const ClaimedAnswer = z.object({
  profile: z
    .object({ public_id: PublicId, name: z.string() })
    .nullable()
    .meta({ description: "The caller's profile to which this link led; null when it led to nobody's, or another's." }),
});

export const FreezeInput = z.strictObject({
  public_id: PublicId,
  reason: text(2_000).optional().meta({ description: "Kept in the record." }),
});
export const ThawInput = z.strictObject({ public_id: PublicId });

export const FreezeAnswer = z.object({
  public_id: PublicId,
  frozen: z.boolean().meta({ description: "Whether the agent is frozen now." }),
  frozen_at: Timestamp.nullable().meta({ description: "Since when; null when it is not frozen." }),
});

export const NoInput = z.strictObject({});
