import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import { countCall } from "#lib/db/rate-limit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Client, Context } from "#lib/kernel/context.ts";
import { ApiError, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { Email, OwnerName } from "./schema.ts";
import { type StartedSession, startSession } from "./start-session.ts";

/** Who somebody is at another service, in that service's words. */
export type ExternalAccount = {
  provider: "github" | "google";
  subject: string;
  email: string | null | undefined;
  name: string | null | undefined;
};

/**
 * Opens a session for the owner who signs in through another service, and makes the account the first time.
 * @throws ApiError invalid_credential without a usable e-mail address; state_conflict when an account has that address
 *   already: only its own password opens that one
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
  return startSession(ctx, { ownerId, how: provider });
}

async function makeAccount(ctx: Context & { client: Client }, account: ExternalAccount): Promise<string> {
  const email = Email.safeParse(account.email ?? "");
  if (!email.success) throw new ApiError("invalid_credential", "The other service gave no e-mail address.");
  await countCall(["account_registration"], () => `ip:${ctx.client.address}`);
  const { provider, subject } = account;
  const id = newId("own");
  const now = ctx.clock.now();
  return transaction(async (tx) => {
    const made = await tx.$executeRaw`
      INSERT INTO owners (id, email, name, role, created_at)
      VALUES (${id}, ${email.data}, ${nameOf(account, email.data)}, 'owner', ${now}) ON CONFLICT (email) DO NOTHING`;
    if (made === 0) throw stateConflict("An account has this e-mail address already.");
    await tx.ownerLogin.create({ data: { provider, subject, ownerId: id, createdAt: now } });
    await audit(tx, ctx, { action: "sign_up", subjectKind: "owner", subjectId: id, data: { provider } });
    return id;
  });
}

function nameOf({ name }: ExternalAccount, email: string): string {
  const own = OwnerName.safeParse(name?.replace(/\p{C}/gu, "").normalize("NFC").trim());
  return own.success ? own.data : email;
}
