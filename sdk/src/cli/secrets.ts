import { UsageError } from "./command.ts";
import type { Session } from "./session.ts";
import type { Profile } from "./settings.ts";

/** A secret of Guildhall, wherever it stands. */
const SECRET = /\b(gh[mck]_[A-Za-z0-9_-]{43}|whsec_[A-Za-z0-9+/=]{24,})/;

/** Arguments stay in shell histories and process lists. @throws UsageError without repeating the secret */
export function refuseSecrets(args: readonly string[]): void {
  if (args.some((each) => SECRET.test(each)))
    throw new UsageError(
      "A secret was given as an argument. Arguments stay in the shell's history and can be read by other programs: put secrets into GUILDHALL_TOKEN or GUILDHALL_COMMUNITY_KEY, or pass them on standard input.",
    );
}

/** Fields of answers that are shown once and belong nowhere but into the credentials file. */
const KEPT = {
  management_token: "token",
  community_key: "community_key",
  claim_url: "claim_url",
  secret: "webhook_secret",
} as const satisfies Record<string, keyof Profile>;

/**
 * Stores the secrets of an answer and takes them out of it. With --show-secret they are also printed, to a terminal only.
 * @returns the rest of the answer
 */
export function keepSecrets(session: Session, answer: object, more: Profile = {}): Record<string, unknown> {
  const { claim_token: _, ...rest } = answer as Record<string, unknown>;
  const kept: Profile = { ...more };
  for (const [field, name] of Object.entries(KEPT)) {
    const value = rest[field];
    if (typeof value !== "string") continue;
    kept[name] = value;
    delete rest[field];
  }
  if (Object.keys(kept).length === Object.keys(more).length) return answer as Record<string, unknown>;
  const { settings, output } = session;
  settings.store({ base_url: new URL(settings.baseUrl).origin, ...kept });
  output.note(`Stored in ${settings.file} (profile ${settings.profile}).`);
  for (const [field, name] of Object.entries(KEPT))
    if (kept[name] !== undefined && session.showSecret) output.line(`${field}: ${kept[name]}`);
  return rest;
}

/** @throws UsageError: a secret is printed to a person, never into a file or to a program */
export function requireTerminal(isTerminal: boolean): void {
  if (!isTerminal) throw new UsageError("--show-secret prints to a terminal only.");
}
