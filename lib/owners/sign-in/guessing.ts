import { countCall, RateLimited, requireRoom, scaledPoints, uncount } from "#lib/db/rate-limit.ts";
import { requireSpacing, takeSpaced, uncountSpaced } from "#lib/db/spacing.ts";
import type { Client, Context } from "#lib/kernel/context.ts";
import { authenticationCode } from "#lib/kernel/keys.ts";
import { LIMITS, type LimitName } from "#lib/kernel/limits.ts";
import { knownDevice } from "./known-device.ts";

/** The address that was typed, and the ID of its account, if there is one. */
type Target = { email: string; ownerId: string | undefined };

/**
 * The attempt's result, undefined when it failed. `isSlowedFromNow`: after this failure, attempts from unknown devices have to
 * wait.
 */
type Outcome<Result> = { result: Result | undefined; isSlowedFromNow: boolean };

/**
 * Makes an attempt to sign in within the limits on guessing. Every attempt is counted before it is made, so that simultaneous
 * attempts cannot exceed a limit; a successful one is uncounted. From unknown devices: 60 failures in 15 minutes per network
 * address, ten per account and network address, and ten per account from all network addresses together, after which attempts
 * have to wait for growing pauses of up to a minute. E-mail addresses without an account are counted in the same way. From a
 * known device of the account, only its own ten failures count, so that nobody else can keep the owner out.
 * @throws ApiError rate_limited
 */
export async function limitGuesses<Result>(
  ctx: Context & { client: Client },
  { email, ownerId }: Target,
  attempt: () => Promise<Result | undefined>,
): Promise<Outcome<Result>> {
  const device = ownerId && knownDevice(ctx.client.cookie, ownerId);
  if (device)
    return {
      result: await countingFailures("sign_in_device", `${ownerId} ${device}`, attempt),
      isSlowedFromNow: false,
    };

  const now = ctx.clock.now();
  const [account, pair] = [keyOf(email), keyOf(`${email} ${ctx.client.address}`)];
  const address = `ip:${ctx.client.address}`;
  // These only read, so that a flood of refused attempts writes nothing. The account's turn is taken last, so that an address which has
  // used up its own attempts takes no turn from others.
  const accountMessage = (seconds: number) => refusalMessage("sign_in_account", seconds);
  await withMessage(
    longestWait([
      requireSpacing("sign_in_account", account, now, accountMessage),
      requireRoom("sign_in_failure", pair),
      requireRoom("credential_failure", address),
    ]),
  );
  await withMessage(countCall(["credential_failure"], () => address));
  const failures = await takeSpaced("sign_in_account", account, now, accountMessage);
  await withMessage(countCall(["sign_in_failure"], () => pair)).catch(async (error: unknown) => {
    await uncountSpaced("sign_in_account", account);
    throw error;
  });
  const result = await attempt();
  if (result === undefined)
    return { result, isSlowedFromNow: failures > 0 && failures === scaledPoints("sign_in_account") };
  await uncountSpaced("sign_in_account", account);
  await uncount("sign_in_failure", pair);
  await uncount("credential_failure", address);
  return { result, isSlowedFromNow: false };
}

/**
 * The same for a single limit that counts failures. `who` is stored as a digest.
 * @returns what the attempt gave; undefined when it failed
 * @throws ApiError rate_limited
 */
export async function countingFailures<Result>(
  name: LimitName,
  who: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const key = keyOf(who);
  await withMessage(countCall([name], () => key));
  const result = await attempt();
  if (result !== undefined) await uncount(name, key);
  return result;
}

/** Of several refusals, the one with the longest wait: after a shorter one, the attempt would be refused again. */
async function longestWait(checks: Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(checks);
  const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  const waitOf = (reason: unknown) =>
    reason instanceof RateLimited ? (reason.details.retryAfterSeconds ?? 1) : Number.POSITIVE_INFINITY;
  const [longest] = reasons.sort((one, other) => waitOf(other) - waitOf(one));
  if (longest) throw longest;
}

/** Replaces the message of a limit's refusal with one about signing in. */
async function withMessage(counting: Promise<unknown>): Promise<void> {
  try {
    await counting;
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error;
    const seconds = error.details.retryAfterSeconds ?? 1;
    throw new RateLimited(error.limit, seconds, error.headers, refusalMessage(error.limit, seconds));
  }
}

function keyOf(who: string): string {
  return authenticationCode("rate limit key", `sign-in ${who}`).toString("base64url");
}

function refusalMessage(name: LimitName, seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const wait = seconds <= 90 ? `${seconds} ${seconds === 1 ? "second" : "seconds"}` : `${minutes} minutes`;
  const within = `${scaledPoints(name)} in ${LIMITS[name].seconds / 60} minutes`;
  return `Too many attempts to sign in have failed: the limit is ${within}. Try again in ${wait}.`;
}
