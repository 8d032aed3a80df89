import { prisma } from "#lib/db/client.ts";
import { countCall, uncount } from "#lib/db/rate-limit.ts";
import type { Client, Context } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { digestSecret } from "#lib/kernel/secrets.ts";
import { normalizeText } from "#lib/kernel/text.ts";
import { verifyPassword } from "./password.ts";
import { type StartedSession, startSession } from "./start-session.ts";

type Input = { email: string; password: string };

/**
 * Opens a session for the owner whose e-mail address and password these are, and gives its ID. An address without an
 * account fails like a wrong password, in the same words and after the same work.
 * @throws ApiError invalid_credential; rate_limited after too many failures for this account from this network address
 */
export async function signIn(ctx: Context & { client: Client }, { email, password }: Input): Promise<StartedSession> {
  const { address } = ctx.client;
  const normalEmail = normalizeText(email).toLowerCase();
  const started = await countingFailures(`${normalEmail} ${address}`, async () => {
    const owner = await prisma().owner.findUnique({
      where: { email: normalEmail },
      select: { id: true, passwordHash: true },
    });
    const matches = await verifyPassword(owner?.passwordHash, normalizeText(password));
    if (!owner?.passwordHash || !matches) return undefined;
    return startSession(ctx, { ownerId: owner.id, how: "password", passwordHash: owner.passwordHash });
  });
  if (started === undefined) {
    throw new ApiError("invalid_credential", "The e-mail address or the password is not right.");
  }
  return started;
}

/**
 * Counts an attempt before it is made, so that many at once get no more than the limit, and takes it back when it
 * succeeds. `who` is kept as a digest.
 * @returns what the attempt gave; undefined when it failed
 * @throws ApiError rate_limited
 */
export async function countingFailures<Result>(
  who: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const key = digestSecret(`sign-in ${who}`).toString("base64url");
  await countCall(["sign_in_failure"], () => key);
  const result = await attempt();
  if (result !== undefined) await uncount("sign_in_failure", key);
  return result;
}
