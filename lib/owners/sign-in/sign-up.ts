import type { z } from "zod";
import { transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { hashPassword } from "../account/password.ts";
import { requireStrongPassword } from "../account/password-rules.ts";
import type { RegisterInput } from "../schema.ts";
import { recordSecurityEvent } from "../security-log.ts";

/**
 * Creates an account, unless the e-mail address already has one, which is then not changed. Both cases do the same work and give the
 * same answer, so that nobody learns which addresses have accounts.
 * @throws ApiError invalid_input when the password is easy to guess
 */
export async function signUp(ctx: Context, { name, email, password }: z.output<typeof RegisterInput>) {
  await requireStrongPassword("password", password, { name, email });
  const passwordHash = await hashPassword(password);
  await transaction(async (tx) => {
    const made = await tx.$executeRaw`
      INSERT INTO owners (id, email, name, role, password_hash, created_at)
      VALUES (${newId("own")}, ${email}, ${name}, 'owner', ${passwordHash}, ${ctx.clock.now()})
      ON CONFLICT (email) DO NOTHING`;
    const { id } = await tx.owner.findUniqueOrThrow({ where: { email }, select: { id: true } });
    await recordSecurityEvent(tx, ctx, { ownerId: id, action: made === 1 ? "sign_up" : "sign_up_refused" });
  });
  return {};
}
