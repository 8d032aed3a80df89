import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { invalidInput, stateConflict } from "#lib/kernel/errors.ts";
import { countCharacters } from "#lib/kernel/text.ts";
import { MIN_ADMINISTRATOR_PASSWORD, type PasswordInput } from "../schema.ts";
import { recordSecurityEvent } from "../security-log.ts";
import { requireRecentConfirmation } from "../sessions/confirmation.ts";
import { countingFailures } from "../sign-in/guessing.ts";
import { revokeSessions } from "../sign-in/sign-out.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { requireStrongPassword } from "./password-rules.ts";

/**
 * Changes the caller's password, given the current one, and ends the caller's other sessions. An account with a second factor
 * needs a recent confirmation as well.
 * @throws ApiError forbidden (`step_up_required`); invalid_input when the current password is wrong or the new one is weak;
 *   rate_limited after too many wrong current ones; state_conflict when another change came first or the account has no password
 */
export async function changePassword(ctx: OwnerContext, input: z.output<typeof PasswordInput>) {
  const { id, role, hasSecondFactor } = ctx.actor;
  if (hasSecondFactor) requireRecentConfirmation(ctx);
  const account = await prisma().owner.findUniqueOrThrow({
    where: { id },
    select: { name: true, email: true, passwordHash: true },
  });
  const { passwordHash } = account;
  if (passwordHash === null) {
    throw stateConflict("This account has no password. You sign in through another service.");
  }
  if (role === "administrator" && countCharacters(input.new_password) < MIN_ADMINISTRATOR_PASSWORD) {
    throw invalidInput(
      "new_password",
      `must have at least ${MIN_ADMINISTRATOR_PASSWORD} characters for an administrator`,
    );
  }
  const matches = await countingFailures(
    "sign_in_failure",
    id,
    async () => (await verifyPassword(passwordHash, input.current_password)) || undefined,
  );
  if (!matches) {
    await transaction((tx) => recordSecurityEvent(tx, ctx, { ownerId: id, action: "change_password_failed" }));
    throw invalidInput("current_password", "is not the current password");
  }
  await requireStrongPassword("new_password", input.new_password, account);

  const newHash = await hashPassword(input.new_password);
  return transaction(async (tx) => {
    const { count } = await tx.owner.updateMany({ where: { id, passwordHash }, data: { passwordHash: newHash } });
    if (count === 0)
      throw stateConflict("Your password was just changed in another session. Sign in again with the new one.");
    const revoked = await revokeSessions(tx, ctx, ctx.actor.sessionDigest);
    await audit(tx, ctx, { action: "change_password", subjectKind: "owner", subjectId: id, data: { revoked } });
    return { revoked_sessions: revoked };
  });
}
