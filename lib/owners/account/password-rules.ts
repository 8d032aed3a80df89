import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { invalidInput } from "#lib/kernel/errors.ts";

type Account = { name: string; email: string };

/** Shorter parts of a name or address can occur in good passwords by chance. */
const MIN_PART = 4;
// The estimator's work grows at least with the square of the length: 64 characters take about 25 ms at worst.
const ESTIMATED_CHARACTERS = 64;
/** On a scale of 0 to 4: "safely unguessable", at least 10^8 guesses. */
const MIN_SCORE = 3;

/**
 * Refuses a new password that contains the account's name or e-mail address, or that is easy to guess.
 * @param field which field of the input is wrong
 * @throws ApiError invalid_input
 */
export async function requireStrongPassword(field: string, password: string, account: Account): Promise<void> {
  const parts = partsOf(account);
  const lower = password.toLowerCase();
  if (parts.some((part) => lower.includes(part))) {
    throw invalidInput(field, "must not contain your name or e-mail address");
  }
  await requireHardToGuess(field, password, parts);
}

/**
 * Refuses a new password that is easy to guess.
 * @param words what a guesser would try first, besides common passwords
 * @throws ApiError invalid_input
 */
export async function requireHardToGuess(field: string, password: string, words: string[]): Promise<void> {
  const { check } = await estimator();
  if (check(password.slice(0, ESTIMATED_CHARACTERS), ["guildhall", ...words]) < MIN_SCORE) {
    throw invalidInput(
      field,
      "is too easy to guess: use several unrelated words, or let a password manager generate one",
    );
  }
}

function partsOf({ name, email }: Account): string[] {
  const [local = ""] = email.split("@");
  const words = name.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u);
  return [...new Set([email, local, ...words].filter((part) => part.length >= MIN_PART))];
}

type Estimator = { check(password: string, words: string[]): number };

let loading: Promise<Estimator> | undefined;

/** Loaded when the first password is chosen, because its word lists take about 60 ms and 20 MB. */
function estimator(): Promise<Estimator> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Estimator> {
  const [core, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const factory: ZxcvbnFactory = new core.ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    maxLength: ESTIMATED_CHARACTERS,
  });
  return { check: (password, words) => factory.check(password, words).score };
}
