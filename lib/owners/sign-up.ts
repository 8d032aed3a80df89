import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { hashPassword } from "./password.ts";
import type { RegisterInput } from "./schema.ts";

/**
 * Makes an account, unless the e-mail address has one, which is then left as it is. Both take the same steps and give the
 * same answer: who asks learns nothing about others from it. Whether the account is theirs, signing in tells.
 */
export async function signUp(ctx: Context, { name, email, password }: z.output<typeof RegisterInput>) {
  const passwordHash = await hashPassword(password);
  await transaction(async (tx) => {
    const made = await tx.$executeRaw`
      INSERT INTO owners (id, email, name, role, password_hash, created_at)
      VALUES (${newId("own")}, ${email}, ${name}, 'owner', ${passwordHash}, ${ctx.clock.now()})
      ON CONFLICT (email) DO NOTHING`;
    const { id } = await tx.owner.findUniqueOrThrow({ where: { email }, select: { id: true } });
    await audit(tx, ctx, {
      action: made === 1 ? "sign_up" : "sign_up_refused",
      subjectKind: "owner",
      subjectId: id,
    });
  });
  return {};
}
