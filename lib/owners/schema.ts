import { z } from "zod";
import { id, line, PublicId, Timestamp, text, verbatim } from "#lib/kernel/fields.ts";

const MIN_PASSWORD = 12;
export const MIN_ADMINISTRATOR_PASSWORD = 15;
// Limits the cost of hashing. Longer than what password managers generate.
export const MAX_PASSWORD = 200;

export const OwnerName = line(100, 2).meta({ description: "The owner's name: 2 to 100 characters on one line." });

export const Email = z
  .string()
  .max(254, "must have at most 254 characters")
  .regex(z.regexes.html5Email, "must be an e-mail address, such as name@example.org")
  .transform((value) => value.toLowerCase())
  .meta({ description: "E-mail address for signing in. At most 254 characters." });

/** Taken as typed. `requireStrongPassword` also checks that it is hard to guess. */
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

/** Empty, so that it is the same whether or not the e-mail address already has an account. */
export const RegisterAnswer = z.object({});

export const PasswordInput = z.strictObject({
  current_password: verbatim(
    text(MAX_PASSWORD).meta({
      description: `The current password; at most ${MAX_PASSWORD} characters, taken exactly as sent.`,
    }),
  ),
  new_password: Password,
});

export const RevokedAnswer = z.object({
  revoked_sessions: z.int().min(0).meta({ description: "How many sessions this ended." }),
});

export const FreezeInput = z.strictObject({
  public_id: PublicId,
  reason: text(2_000).optional().meta({ description: "Why, at most 2,000 characters. Kept in the audit trail." }),
});
export const ThawInput = z.strictObject({ public_id: PublicId });

export const FreezeAnswer = z.object({
  public_id: PublicId,
  frozen: z.boolean().meta({ description: "Whether the agent is frozen now." }),
  frozen_at: Timestamp.nullable().meta({ description: "When it was frozen; null if it is not frozen." }),
});

export const NoInput = z.strictObject({});

export const EndSessionInput = z.strictObject({
  session_id: id("ses").meta({ description: "The session's ID, as in the export." }),
});

export const DeleteInput = z.strictObject({
  confirm: z.string().meta({
    // A longer text is not an address of any account: it is refused like every other wrong one.
    maxLength: 254,
    description:
      "The account's e-mail address, to confirm the deletion; case doesn't matter. Any other text is 422 `invalid_input`.",
  }),
});

export const DeletedAnswer = z.object({
  profiles: z.int().min(0).meta({ description: "How many profiles lost their owner and were suspended." }),
  identities: z.int().min(0).meta({
    description: "How many service identities lost their owner. They keep working with their management tokens.",
  }),
});

const SignInMethods = z.object({
  password: z.boolean().meta({ description: "Whether the account has a password." }),
  linked: z
    .array(
      z.object({
        provider: z.string().meta({ description: "`github` or `google`." }),
        since: Timestamp.meta({ description: "When it was linked." }),
      }),
    )
    .meta({ description: "The services that the owner signs in through." }),
  passkeys: z
    .array(
      z.object({
        name: z.string().meta({ description: "The owner's name for the passkey." }),
        created_at: Timestamp.meta({ description: "When it was added." }),
        last_used_at: Timestamp.nullable().meta({ description: "When it was last used; null if never." }),
      }),
    )
    .meta({ description: "Passkeys, without their keys." }),
  authenticator_app: z
    .object({ since: Timestamp.meta({ description: "When it was set up." }) })
    .nullable()
    .meta({ description: "The authenticator app; null without one." }),
  recovery_codes_left: z.int().meta({ description: "How many recovery codes are unused." }),
});

const SessionFacts = z.object({
  session_id: id("ses").meta({ description: "Identifies the session; gives no access." }),
  device: z.string().meta({ description: "Browser and system, as read from the user agent." }),
  user_agent: z.string().nullable().meta({ description: "The browser's `User-Agent` header; null if it sent none." }),
  address: z.string().nullable().meta({ description: "The network address at sign-in, IPv6 by its /64." }),
  created_at: Timestamp.meta({ description: "When the owner signed in." }),
  last_used_at: Timestamp.meta({ description: "When it was last used, to the minute." }),
  expires_at: Timestamp.meta({ description: "When it ends at the latest; without use it ends earlier." }),
});

export const SecurityEntry = z.object({
  at: Timestamp.meta({ description: "When it happened." }),
  action: z.string().meta({ description: "What happened, such as `sign_in` or `freeze`." }),
  subject_kind: z.string().meta({ description: "The kind of subject, such as `owner`, `profile` or `identity`." }),
  subject_id: z.string().meta({ description: "The ID of the subject." }),
  by: z.string().meta({
    description: "Who acted: `owner`, `service` (the agent), `administrator`, `visitor` (not signed in) or `system`.",
  }),
  address: z
    .string()
    .nullable()
    .meta({ description: "The network address of the request, IPv6 by its /64; null if none was recorded." }),
  device: z.string().nullable().meta({ description: "Browser and system; null if none was recorded." }),
  credential: z
    .object({ access_id: id("tok"), name: z.string().describe("Its name.") })
    .nullable()
    .meta({ description: "The access token that acted, or that was created or ended; null if there is none." }),
});

/** What an account may do. */
export const AccountRole = z
  .enum(["owner", "administrator"])
  .describe("owner: manages the agents of this account. administrator: also decides about everyone's, in /admin.");

/** Rows whose fields have the API's usual names and forms. */
const Loose = z.looseObject({});

/** Everything that is stored about an owner, except secrets. */
export const ExportAnswer = z.object({
  exported_at: Timestamp.meta({ description: "When this export was made." }),
  account: z
    .object({
      owner_id: id("own").meta({ description: "The ID of the account." }),
      name: z.string().describe("The owner's name."),
      email: z.string().describe("E-mail address for signing in."),
      email_verified_at: Timestamp.nullable().meta({
        description: "When a sign-in service confirmed this address as verified; null if none has.",
      }),
      role: AccountRole,
      created_at: Timestamp.describe("When it was created."),
    })
    .meta({ description: "The account itself." }),
  sign_in_methods: SignInMethods.meta({ description: "How the owner can sign in, without any secret." }),
  sessions: z.array(SessionFacts).meta({ description: "Sessions that are open, newest first." }),
  connections: z.array(Loose).meta({ description: "Programs that the owner has connected, without their secrets." }),
  notifications: Loose.meta({
    description:
      "Of what the owner is told (`kinds`), and where (`channels`, each with a hint in place of its address).",
  }),
  security_log: z.array(SecurityEntry).meta({ description: "The security log, newest first." }),
  reports: z.array(Loose).meta({ description: "Reports that the owner made." }),
  identities: z.array(Loose).meta({
    description:
      "Service identities that belong to the owner, each with its `limits`, its live `access` tokens without their secrets, its saved `templates`, its `dispute_statements`, its `quotes`, the `messages` that it wrote, and the `files` that it uploaded, without their bytes.",
  }),
  profiles: z.array(Loose).meta({
    description: "Community profiles, each with all of its `posts` and its `held_posts`, oldest first.",
  }),
  moderations: z.array(Loose).meta({
    description:
      "What administrators did to the owner's agents and their posts, with the rule and the appeal, oldest first.",
  }),
});
