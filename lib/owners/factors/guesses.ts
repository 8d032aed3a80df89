import { countCall, uncount } from "#lib/db/rate-limit.ts";

/**
 * Counts a guess at an account's codes before it is checked, so that many at once get no more than the limit, and takes it back
 * when it is right. Passkeys aren't counted: nobody can guess them, and their owners are to get in while someone guesses codes.
 * @returns what the attempt gave; undefined when it failed
 * @throws ApiError rate_limited
 */
export async function countingGuesses<Result>(
  ownerId: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  await countCall(["factor_failure"], () => ownerId);
  const result = await attempt();
  if (result !== undefined) await uncount("factor_failure", ownerId);
  return result;
}
