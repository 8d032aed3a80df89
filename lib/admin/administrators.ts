import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { iso } from "#lib/kernel/clock.ts";
import { invalidInput, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { normalizeText, verbatimText } from "#lib/kernel/text.ts";
import { hashPassword } from "#lib/owners/account/password.ts";
import { requireHardToGuess } from "#lib/owners/account/password-rules.ts";
import { AdministratorPassword, Email } from "#lib/owners/schema.ts";
import { newPassword } from "./accounts.ts";
import type { AdminContext } from "./context.ts";
import { readAdministrators } from "./page-reads/owners.ts";

const NAME = "Administrator";

type Input = { email: string; password: string | undefined; reason: string };

/**
 * Creates an administrator's account with the given password, or with a generated one that only this answer contains. An address that
 * already has an account is refused, because anyone can register any address: promoting an account is a separate decision.
 * @throws ApiError invalid_input; state_conflict when the address has an account
 */
export async function createAdministrator(ctx: AdminContext, input: Input) {
  const email = checked("EMAIL", Email.safeParse(normalizeText(input.email)));
  const given = input.password
    ? checked("ADMIN_PASSWORD", AdministratorPassword.safeParse(verbatimText(input.password)))
    : undefined;
  if (given) await requireHardToGuess("ADMIN_PASSWORD", given, [email, NAME]);
  const password = given ?? newPassword();
  const passwordHash = await hashPassword(password);
  return transaction(async (tx) => {
    const id = newId("own");
    const made = await tx.$executeRaw`
      INSERT INTO owners (id, email, name, role, password_hash, created_at)
      VALUES (${id}, ${email}, ${NAME}, 'administrator', ${passwordHash}, ${ctx.clock.now()})
      ON CONFLICT (email) DO NOTHING`;
    if (made === 0) throw existing(await tx.owner.findUniqueOrThrow({ where: { email } }));
    await audit(tx, ctx, {
      action: "make_administrator",
      subjectKind: "owner",
      subjectId: id,
      reason: input.reason || null,
      data: { created: true },
    });
    return { administrator: { owner_id: id, email, name: NAME }, created: true, ...(given ? {} : { password }) };
  });
}

type Account = { id: string; email: string; name: string; createdAt: Date; role: string };

function existing({ id, email, name, createdAt, role }: Account) {
  const remedy =
    role === "administrator"
      ? `It already belongs to an administrator. To set a new password: npm run admin -- reset-password ${id} --reason "…"`
      : `Anyone can register any address, so first make sure whose account this is. To make it an administrator with a new ` +
        `password: npm run admin -- promote ${id} --reason "…"`;
  return stateConflict(
    `${email} already has an account, which was not changed: ${id}, created ${iso(createdAt)} under the name ${JSON.stringify(name)}. ${remedy}`,
  );
}

/** All administrators, as the command line prints them. */
export async function listAdministrators() {
  return (await readAdministrators()).map((account) => ({
    owner_id: account.id,
    email: account.email,
    name: account.name,
    created_at: iso(account.createdAt),
    last_sign_in_at: iso(account.signedInAt),
    last_used_at: iso(account.lastUsedAt),
    second_factor: account.hasSecondFactor,
    disabled: account.disabledAt !== null,
  }));
}

type Parsed<Value> = { success: true; data: Value } | { success: false; error: { issues: { message: string }[] } };

function checked<Value>(name: string, parsed: Parsed<Value>): Value {
  if (parsed.success) return parsed.data;
  throw invalidInput(name, parsed.error.issues[0]?.message ?? "has the wrong form");
}
