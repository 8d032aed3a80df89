import { randomBytes } from "node:crypto";
import { ADVISORY_LOCKS } from "#lib/db/advisory-locks.ts";
import { audit } from "#lib/db/audit.ts";
import { type Tx, takeLock, transaction } from "#lib/db/tx.ts";
import { endAccess } from "#lib/identity/access.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import { hashPassword } from "#lib/owners/account/password.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";

// Administrators' acts on people's accounts. Every request reads the account and its session from the database, so each change
// takes effect in every process as soon as it is committed.

/** `owner`: an owner ID or an e-mail address. */
type Input = { owner: string; reason: string };
type Account = { id: string; email: string; role: "owner" | "administrator"; disabledAt: Date | null };
type Data = Record<string, number | boolean>;

/**
 * Makes an owner an administrator on purpose. No earlier way of signing in keeps working: the account gets a new password, its
 * sessions end, and linked sign-ins and second factors are removed.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (disabled)
 */
export async function promoteOwner(ctx: AdminContext, input: Input) {
  const { password, passwordHash } = await generatePassword();
  return change(ctx, input, "promote", async (tx, account) => {
    if (account.disabledAt) throw stateConflict("This account is disabled. Enable it first with enable-owner.");
    await tx.owner.update({ where: { id: account.id }, data: { role: "administrator", passwordHash } });
    // Sessions first: a second factor that one of them is adding either waits for this, or is removed with the others.
    const data = { ...(await endAll(tx, ctx, account.id)), ...(await removeFactors(tx, account.id)) };
    const { count } = await tx.ownerLogin.deleteMany({ where: { ownerId: account.id } });
    return { data: { ...data, logins_removed: count }, answer: { role: "administrator" as const, password } };
  });
}

/**
 * Makes an administrator an ordinary owner again; its sessions continue as an owner's. Repeating it changes nothing.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (the last active administrator)
 */
export function demoteAdministrator(ctx: AdminContext, input: Input) {
  return change(ctx, input, "demote", async (tx, account) => {
    await requireAnotherAdministrator(tx, account, "demoted");
    await tx.owner.update({ where: { id: account.id }, data: { role: "owner" } });
    return { answer: { role: "owner" as const } };
  });
}

/**
 * Disables an account: nobody can sign in to it, and its sessions and connected programs end. Its agents keep working with their own
 * credentials; hold or suspend them separately.
 * Repeating it changes nothing.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (the last active administrator)
 */
export function disableOwner(ctx: AdminContext, input: Input) {
  return change(ctx, input, "disable_owner", async (tx, account) => {
    await requireAnotherAdministrator(tx, account, "disabled");
    const disabledAt = account.disabledAt ?? ctx.clock.now();
    await tx.owner.update({ where: { id: account.id }, data: { disabledAt } });
    const tokens = await endAccess(tx, ctx, { by: "account", values: [account.id], action: "access_end" });
    const data = { ...(await endAll(tx, ctx, account.id)), tokens_ended: tokens };
    return { data, answer: { disabled: true } };
  });
}

/** Enables a disabled account. Repeating it changes nothing. @throws ApiError not_found, forbidden (own_subject) */
export function enableOwner(ctx: AdminContext, input: Input) {
  return change(ctx, input, "enable_owner", async (tx, { id }) => {
    await tx.owner.update({ where: { id }, data: { disabledAt: null } });
    return { answer: { disabled: false } };
  });
}

/** Ends all sessions of an account. @throws ApiError not_found, forbidden (own_subject) */
export function endSessions(ctx: AdminContext, input: Input) {
  return change(ctx, input, "end_sessions", async (tx, { id }) => {
    const data = await endAll(tx, ctx, id);
    return { data, answer: data };
  });
}

/**
 * For an owner who can no longer sign in: sets a new password, ends all sessions and removes second factors.
 * @throws ApiError not_found, forbidden (own_subject)
 */
export async function resetPassword(ctx: AdminContext, input: Input) {
  const { password, passwordHash } = await generatePassword();
  return change(ctx, input, "reset_password", async (tx, { id }) => {
    await tx.owner.update({ where: { id }, data: { passwordHash } });
    const data = { ...(await endAll(tx, ctx, id)), ...(await removeFactors(tx, id)) };
    return { data, answer: { ...data, password } };
  });
}

/** Locks the account, so that changes and sign-ins wait for each other; then makes the change and records the reason. */
function change<Answer extends object>(
  ctx: AdminContext,
  { owner, reason }: Input,
  action: string,
  act: (tx: Tx, account: Account) => Promise<{ data?: Data; answer: Answer }>,
) {
  return transaction(async (tx) => {
    const account = await lockAccount(tx, owner);
    if (!account) throw notFound();
    await requireOthers(tx, ctx, account.id);
    const { data, answer } = await act(tx, account);
    await audit(tx, ctx, { action, subjectKind: "owner", subjectId: account.id, reason, ...(data ? { data } : {}) });
    return { owner_id: account.id, email: account.email, ...answer };
  });
}

async function lockAccount(tx: Tx, owner: string): Promise<Account | undefined> {
  const [account] = await tx.$queryRaw<Account[]>`
    SELECT id, email, role, disabled_at AS "disabledAt" FROM owners WHERE id = ${owner} OR email = lower(${owner}) FOR UPDATE`;
  return account;
}

/** The lock serialises two administrators who demote each other: the second finds itself the last. */
async function requireAnotherAdministrator(tx: Tx, { id, role, disabledAt }: Account, what: string): Promise<void> {
  if (role !== "administrator" || disabledAt) return;
  await takeLock(tx, ADVISORY_LOCKS.administrators);
  const others = await tx.owner.count({ where: { role: "administrator", disabledAt: null, NOT: { id } } });
  if (others > 0) return;
  throw stateConflict(
    `This is the last active administrator and cannot be ${what}. First add another one: npm run admin -- create EMAIL, or promote OWNER_ID.`,
  );
}

async function endAll(tx: Tx, ctx: AdminContext, ownerId: string): Promise<{ sessions_ended: number }> {
  const now = ctx.clock.now();
  const { count } = await tx.ownerSession.updateMany({
    where: { ownerId, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
  });
  return { sessions_ended: count };
}

async function removeFactors(tx: Tx, ownerId: string): Promise<{ factors_removed: number }> {
  const where = { ownerId };
  const [passkeys, totps] = [await tx.ownerPasskey.deleteMany({ where }), await tx.ownerTotp.deleteMany({ where })];
  await tx.ownerRecoveryCode.deleteMany({ where });
  return { factors_removed: passkeys.count + totps.count };
}

/** 144 random bits as 24 characters. */
export function newPassword(): string {
  return randomBytes(18).toString("base64url");
}

async function generatePassword() {
  const password = newPassword();
  return { password, passwordHash: await hashPassword(password) };
}
