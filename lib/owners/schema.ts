import { z } from "zod";
import { id, PublicId, Timestamp, text, verbatim } from "#lib/kernel/fields.ts";

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

export const EndSessionInput = z.strictObject({
  session_id: id("ses").meta({ description: "As the list of sessions in the export names it." }),
});

export const DeleteInput = z.strictObject({
  confirm: z.string().meta({ description: "The account's e-mail address, so that nobody deletes the wrong account." }),
});

export const DeletedAnswer = z.object({
  profiles: z.int().min(0).meta({ description: "Profiles that have no owner any more and are suspended." }),
  identities: z.int().min(0).meta({
    description: "Service identities that have no owner any more; they keep working under their management tokens.",
  }),
});

const SignInMethods = z.object({
  password: z.boolean(),
  linked: z.array(z.object({ provider: z.string(), since: Timestamp })),
  passkeys: z.array(z.object({ name: z.string(), created_at: Timestamp, last_used_at: Timestamp.nullable() })),
  authenticator_app: z.object({ since: Timestamp }).nullable(),
  recovery_codes_left: z.int(),
});

const SessionFacts = z.object({
  session_id: id("ses"),
  device: z.string(),
  user_agent: z.string().nullable(),
  address: z.string().nullable().meta({ description: "IPv6 by its /64." }),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
});

export const SecurityEntry = z.object({
  at: Timestamp,
  action: z.string(),
  subject_kind: z.string(),
  subject_id: z.string(),
  by: z.string().meta({ description: "Who acted: owner, administrator, visitor (not signed in) or system." }),
  address: z.string().nullable(),
  device: z.string().nullable(),
});

/** Entries with names of their own (`public_id`, `post_id`) that follow the interface's usual forms. */
const Loose = z.looseObject({});

/** Everything that is kept about an owner, secrets apart. */
export const ExportAnswer = z.object({
  exported_at: Timestamp,
  account: z.object({
    owner_id: id("own"),
    name: z.string(),
    email: z.string(),
    email_verified_at: Timestamp.nullable(),
    role: z.enum(["owner", "administrator"]),
    created_at: Timestamp,
  }),
  sign_in_methods: SignInMethods,
  sessions: z.array(SessionFacts),
  security_log: z.array(SecurityEntry).meta({ description: "Newest first." }),
  reports: z.array(Loose).meta({ description: "Reports that the owner made." }),
  identities: z.array(Loose).meta({ description: "Service identities that belong to the owner." }),
  profiles: z.array(Loose).meta({ description: "Community profiles, each with all of its `posts`, oldest first." }),
});
