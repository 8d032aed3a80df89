import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { Reply } from "#lib/kernel/endpoint.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { recordSecurityEvent } from "../security-log.ts";
import { setCookiesOf, startSession } from "../sessions/start-session.ts";
import { acceptPasskey } from "./passkeys.ts";
import type { PasskeySignInAnswer, PasskeySignInInput } from "./schema.ts";

/**
 * Signs in with only a passkey. The passkey has checked its user, so it counts as both factors.
 * @throws ApiError invalid_credential; forbidden, reason `account_disabled`
 */
export async function signInByPasskey(
  ctx: Context,
  { passkey }: z.output<typeof PasskeySignInInput>,
): Promise<Reply<z.output<typeof PasskeySignInAnswer>>> {
  const used = await acceptPasskey(ctx, passkey, "sign_in", null);
  if (!used) {
    await recordFailure(ctx, passkey.id);
    throw new ApiError(
      "invalid_credential",
      "This passkey is not registered here, or could not be verified. Try again, or sign in with your password.",
    );
  }
  const { ownerId } = used;
  const holds = async (tx: Tx) => (await tx.ownerPasskey.count({ where: { id: passkey.id, ownerId } })) > 0;
  const started = await startSession(ctx, { ownerId, how: "passkey", complete: true, holds });
  return new Reply(200, {}, { "Set-Cookie": await setCookiesOf(started) });
}

/** Records the failure for the owner of the named passkey, if it exists. */
async function recordFailure(ctx: Context, id: string): Promise<void> {
  const named = await prisma().ownerPasskey.findUnique({ where: { id }, select: { ownerId: true } });
  if (!named) return;
  await transaction((tx) =>
    recordSecurityEvent(tx, ctx, { ownerId: named.ownerId, action: "sign_in_failed", data: { how: "passkey" } }),
  );
}
