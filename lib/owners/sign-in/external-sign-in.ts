import { prisma } from "#lib/db/client.ts";
import { countCall } from "#lib/db/rate-limit.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { Client, Context } from "#lib/kernel/context.ts";
import { ApiError, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { Email, OwnerName } from "../schema.ts";
import { recordSecurityEvent } from "../security-log.ts";
import { type StartedSession, startSession } from "../sessions/start-session.ts";
import { removeCredentials } from "./methods.ts";

/** A person's account at another service, as that service describes it. */
type ExternalAccount = {
  provider: "github" | "google";
  subject: string;
  /** Null unless the other service says that it has verified the address. */
  email: string | null;
  name: string | null | undefined;
};

/**
 * Opens a session for an owner who signs in through another service, and creates the account the first time. If someone else
 * created an account with the same address, but never verified the address and owns nothing, this person takes it over: its
 * password, sessions, second factors and linked sign-ins are removed.
 * @throws ApiError invalid_credential without a verified e-mail address; state_conflict when an account with that address is in
 *   use, which only its own sign-in method opens; forbidden (`account_disabled`)
 */
export async function externalSignIn(
  ctx: Context & { client: Client },
  account: ExternalAccount,
): Promise<StartedSession> {
  const { provider, subject } = account;
  const login = await prisma().ownerLogin.findUnique({
    where: { provider_subject: { provider, subject } },
    select: { ownerId: true },
  });
  const ownerId = login?.ownerId ?? (await makeAccount(ctx, account));
  const holds = async (tx: Tx) => (await tx.ownerLogin.count({ where: { provider, subject, ownerId } })) > 0;
  return startSession(ctx, { ownerId, how: provider, holds });
}

async function makeAccount(ctx: Context & { client: Client }, account: ExternalAccount): Promise<string> {
  const email = Email.safeParse(account.email ?? "");
  if (!email.success)
    throw new ApiError(
      "invalid_credential",
      "The other service has not verified your e-mail address. Verify it there, then try again.",
    );
  await countCall(["account_registration"], () => `ip:${ctx.client.address}`);
  const { provider, subject } = account;
  const name = nameOf(account, email.data);
  const now = ctx.clock.now();
  return transaction(async (tx) => {
    const id = newId("own");
    const made = await tx.$executeRaw`
      INSERT INTO owners (id, email, name, role, created_at, email_verified_at)
      VALUES (${id}, ${email.data}, ${name}, 'owner', ${now}, ${now}) ON CONFLICT (email) DO NOTHING`;
    const ownerId = made === 1 ? id : await takeOver(tx, ctx, email.data, name);
    await tx.ownerLogin.create({ data: { provider, subject, ownerId, createdAt: now } });
    if (made === 1) await recordSecurityEvent(tx, ctx, { ownerId, action: "sign_up", data: { provider } });
    return ownerId;
  });
}

/** @throws ApiError state_conflict unless the account's address was never verified and the account owns nothing */
async function takeOver(tx: Tx, ctx: Context, email: string, name: string): Promise<string> {
  // The lock makes a claim or sign-in by the other person wait until this is decided.
  const [squatted] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM owners
    WHERE email = ${email} AND email_verified_at IS NULL AND role = 'owner' AND disabled_at IS NULL
    FOR UPDATE`;
  if (!squatted || (await ownsSomething(tx, squatted.id))) {
    throw stateConflict("An account with this e-mail address is already in use. Sign in to it the way you did before.");
  }
  const { id } = squatted;
  await removeCredentials(tx, id);
  await tx.owner.update({ where: { id }, data: { name, passwordHash: null, emailVerifiedAt: ctx.clock.now() } });
  await recordSecurityEvent(tx, ctx, { ownerId: id, action: "take_over_account" });
  return id;
}

/** Read after taking the lock: only a later statement sees a claim that committed while this waited for it. */
async function ownsSomething(tx: Tx, ownerId: string): Promise<boolean> {
  return (
    (await tx.profile.count({ where: { ownerId }, take: 1 })) > 0 ||
    (await tx.identity.count({ where: { ownerId }, take: 1 })) > 0
  );
}

function nameOf({ name }: ExternalAccount, email: string): string {
  const own = OwnerName.safeParse(name?.replace(/\p{C}/gu, "").normalize("NFC").trim());
  return own.success ? own.data : email;
}
