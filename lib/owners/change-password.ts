import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { invalidInput, stateConflict } from "#lib/kernel/errors.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import type { PasswordInput } from "./schema.ts";
import { countingFailures } from "./sign-in.ts";
import { revokeSessions } from "./sign-out.ts";

/**
 * Changes the caller's password, for whoever knows the current one, and ends the caller's other sessions.
 * @throws ApiError invalid_input when the current password is not right, rate_limited after too many such failures,
 *   state_conflict when another change came first or the account has no password
 */
export async function changePassword(ctx: OwnerContext, input: z.output<typeof PasswordInput>) {
  const { id } = ctx.actor;
  const { email, passwordHash } = await prisma().owner.findUniqueOrThrow({
    where: { id },
    select: { email: true, passwordHash: true },
  });
  if (passwordHash === null) {
    throw stateConflict("This account has no password: it signs in through another service.");
  }
  if (input.new_password.toLowerCase() === email) throw invalidInput("new_password", "must not be the e-mail address");
  const matches = await countingFailures(
    id,
    async () => (await verifyPassword(passwordHash, input.current_password)) || undefined,
  );
  if (!matches) throw invalidInput("current_password", "is not the current password");

  const newHash = await hashPassword(input.new_password);
  return transaction(async (tx) => {
    const { count } = await tx.owner.updateMany({ where: { id, passwordHash }, data: { passwordHash: newHash } });
    if (count === 0) throw stateConflict("The password was changed elsewhere at the same moment.");
    const revoked = await revokeSessions(tx, ctx, ctx.actor.sessionDigest);
    await audit(tx, ctx, { action: "change_password", subjectKind: "owner", subjectId: id, data: { revoked } });
    return { revoked_sessions: revoked };
  });
}
