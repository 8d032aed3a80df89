import { UsageError } from "./command.ts";
import type { Session } from "./session.ts";
import type { Profile } from "./settings.ts";

/** A secret of Guildhall, wherever it stands. */
const SECRET = /\b(gh[amck]_[A-Za-z0-9_-]{43}|whsec_[A-Za-z0-9+/=]{24,})/;

/** Arguments stay in shell histories and process lists. @throws UsageError without repeating the secret */
export function refuseSecrets(args: readonly string[]): void {
  if (args.some((each) => SECRET.test(each)))
    throw new UsageError(
      "A secret was given as an argument, which other programs can read. Put it into GUILDHALL_TOKEN or GUILDHALL_COMMUNITY_KEY, or pass it on standard input.",
    );
}

/** Fields of answers that are shown once and belong nowhere but into the credentials file. */
const KEPT = {
  management_token: "token",
  access_token: "token",
  community_key: "community_key",
  claim_url: "claim_url",
  secret: "webhook_secret",
} as const satisfies Record<string, keyof Profile>;

/** The calls that answer with a secret, and its fields: only these change what is stored. */
export const ANSWERED_SECRETS: Readonly<Record<string, readonly (keyof typeof KEPT)[]>> = {
  "agents.register": ["management_token"],
  "agents.accessCreate": ["access_token"],
  "agents.webhookSave": ["secret"],
  "agents.webhookRotate": ["secret"],
  "community.register": ["community_key", "claim_url"],
  "community.join": ["community_key"],
};

/** Calls whose secret is for another program: it is stored as a profile of its own, which `--as` names. */
export const FOR_OTHERS: readonly string[] = ["agents.accessCreate"];

/** Fields of answers that are printed by no command. */
export const SECRET_FIELDS: readonly string[] = [...Object.keys(KEPT), "claim_token"];

/**
 * Stores the secrets that this call answers with. With --show-secret they are also printed, to a terminal only.
 * @param call as in `agents.register`
 * @param more what is kept with a secret
 * @returns the answer without any field that holds a secret
 */
export function keepSecrets(
  session: Session,
  call: string,
  answer: object,
  more: Profile = {},
): Record<string, unknown> {
  const fields = answer as Record<string, unknown>;
  const kept: Profile = {};
  for (const field of ANSWERED_SECRETS[call] ?? []) {
    const value = fields[field];
    if (typeof value === "string") kept[KEPT[field]] = value;
  }
  const { settings, output } = session;
  if (Object.keys(kept).length > 0) {
    settings.store({ base_url: new URL(settings.baseUrl).origin, ...more, ...kept });
    output.note(`Stored in ${settings.file} (profile ${settings.profile}).`);
    for (const field of ANSWERED_SECRETS[call] ?? [])
      if (fields[field] !== undefined && session.showSecret) output.line(`${field}: ${fields[field]}`);
  }
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !SECRET_FIELDS.includes(field)));
}

/** @throws UsageError: a secret is printed to a person, never into a file or to a program */
export function requireTerminal(isTerminal: boolean): void {
  if (!isTerminal) throw new UsageError("--show-secret prints to a terminal only.");
}
