import { z } from "zod";
import { PublicId, text, verbatim } from "#lib/kernel/fields.ts";

export const MIN_PASSWORD = 12;
export const MIN_ADMINISTRATOR_PASSWORD = 15;
// Bounds the work of hashing; longer than any password manager writes.
export const MAX_PASSWORD = 200;

export const OwnerName = text(100, 2).meta({ description: "2 to 100 characters." });

export const Email = z
  .string()
  .max(254, "must have at most 254 characters")
  .regex(z.regexes.html5Email, "must be an e-mail address, such as name@example.org")
  .transform((value) => value.toLowerCase());

/** Taken as typed; that it is hard to guess is checked by `requireStrongPassword`. */
export const Password = passwordOf(MIN_PASSWORD);

export const AdministratorPassword = passwordOf(MIN_ADMINISTRATOR_PASSWORD);

function passwordOf(min: number) {
  return verbatim(
    text(MAX_PASSWORD, min).meta({
      description: `${min} to ${MAX_PASSWORD} characters of any kind, taken exactly as sent. It must not contain the account's name or e-mail address, and must be hard to guess.`,
    }),
  );
}

export const RegisterInput = z.strictObject({ name: OwnerName, email: Email, password: Password });

/** The same answer whether or not the e-mail address had an account. */
export const RegisterAnswer = z.object({});

export const PasswordInput = z.strictObject({
  current_password: verbatim(text(MAX_PASSWORD)),
  new_password: Password,
});

export const RevokedAnswer = z.object({
  revoked_sessions: z.int().min(0).meta({ description: "How many sessions ended with this." }),
});

export const ClaimedInput = z.strictObject({ claim_token: z.string() });

export const ClaimedAnswer = z.object({
  profile: z
    .object({ public_id: PublicId, name: z.string() })
    .nullable()
    .meta({ description: "The caller's profile to which this link led; null when it led to nobody's, or another's." }),
});

export const NoInput = z.strictObject({});
