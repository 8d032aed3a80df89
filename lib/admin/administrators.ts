import { randomBytes } from "node:crypto";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { normalizeText } from "#lib/kernel/text.ts";
import { hashPassword } from "#lib/owners/password.ts";
import { Email, Password } from "#lib/owners/schema.ts";
import type { AdminContext } from "./context.ts";

type Input = { email: string; password: string | undefined; reason: string };

/**
 * Makes an administrator: a new account with the given password, or one that is made up and told this once; or an owner
 * who has an account already, and keeps its password.
 * @throws ApiError invalid_input
 */
export async function createAdministrator(ctx: AdminContext, input: Input) {
  const email = checked("EMAIL", Email.safeParse(normalizeText(input.email)));
  const given = input.password
    ? checked("ADMIN_PASSWORD", Password.safeParse(normalizeText(input.password)))
    : undefined;
  const password = given ?? randomBytes(18).toString("base64url");
  const passwordHash = await hashPassword(password);
  return transaction(async (tx) => {
    const made = await tx.$executeRaw`
      INSERT INTO owners (id, email, name, role, password_hash, created_at)
      VALUES (${newId("own")}, ${email}, 'Administrator', 'administrator', ${passwordHash}, ${ctx.clock.now()})
      ON CONFLICT (email) DO NOTHING`;
    const { id, name } = await tx.owner.update({ where: { email }, data: { role: "administrator" } });
    await audit(tx, ctx, {
      action: "make_administrator",
      subjectKind: "owner",
      subjectId: id,
      reason: input.reason || null,
      data: { created: made === 1 },
    });
    return {
      administrator: { email, name },
      created: made === 1,
      ...(made === 1 && !given ? { password } : {}),
    };
  });
}

type Parsed<Value> = { success: true; data: Value } | { success: false; error: { issues: { message: string }[] } };

function checked<Value>(name: string, parsed: Parsed<Value>): Value {
  if (parsed.success) return parsed.data;
  throw invalidInput(name, parsed.error.issues[0]?.message ?? "is not well-formed");
}
