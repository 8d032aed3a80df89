import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import type { PaymentAccount } from "#lib/db/generated/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { proofRemedy } from "#lib/identity/domain/domain-status.ts";
import { type AccountStep, accountReadiness } from "#lib/identity/payment-account.ts";
import { isDomainProved } from "#lib/kernel/actor.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context, ServiceContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, gateRefused, invalidInput } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import { toCallerError } from "../gateway/failures.ts";
import { liveGateway } from "../gateway/live.ts";
import { type Account, type AccountOrder, type LiveGateway, ProcessorError } from "../gateway/port.ts";
import { BAD_ADDRESS } from "../gateway/set-up-refusals.ts";
import { type FailedPayout, readFailedPayouts } from "../payouts/failed.ts";
import type { AccountBodyInput } from "../schema.ts";
import { setPayoutDelay } from "./payout-delay.ts";

/** What was read from Stripe this recently is not read again for a caller. Events refresh it at once. */
const FRESH_SECONDS = 60;
/** An attempt that is looked up this long after it was made, and not found, has had no effect. */
const OUTCOME_SECONDS = 60;

/**
 * Returns the page where the caller sets up its payment account. Creates the account at Stripe if there is none.
 * @throws ApiError live_unavailable (not on offer, or Stripe waits for the operator), gate_refused (the domain is not verified),
 *   invalid_input (Stripe needs an address, or refuses it), temporarily_unavailable
 */
export async function onboard(
  ctx: ServiceContext,
  { contact_email: given }: z.output<typeof AccountBodyInput>,
): Promise<{ onboarding_url: string }> {
  const gateway = await liveGateway();
  requireDomain(ctx);
  try {
    const account = await ensureAccount(ctx, gateway, given);
    await setPayoutDelay(ctx, await prisma().paymentAccount.findUniqueOrThrow({ where: { identityId: ctx.actor.id } }));
    return { onboarding_url: await gateway.onboardingUrl(account.accountId, newId("acc")) };
  } catch (thrown) {
    throw (await creationError(ctx, thrown)) ?? toCallerError(thrown);
  }
}

const WAITS_FOR_OPERATOR =
  "Stripe creates no payment accounts for this service yet: its operator has to complete the set-up there. The operator can see what is missing. Nothing is wrong with your account; try again later.";

/** What the caller is told if Stripe did not create the account; undefined for any other failure. */
async function creationError({ actor, clock }: ServiceContext, thrown: unknown): Promise<ApiError | undefined> {
  if (!(thrown instanceof ProcessorError)) return undefined;
  const row = await prisma().paymentAccount.findUnique({ where: { identityId: actor.id } });
  if (!row || row.stripeAccountId) return undefined;
  if (thrown.kind === "refused")
    return BAD_ADDRESS.has(thrown.code)
      ? invalidInput("contact_email", "is not an address that Stripe accepts: give another one")
      : new ApiError("live_unavailable", WAITS_FOR_OPERATOR);
  if (!thrown.answered) return undefined;
  // Before that, Stripe repeats its answer.
  const since = row.attemptedAt ?? row.createdAt;
  const left = (secondsAfter(since, OUTCOME_SECONDS).getTime() - clock.now().getTime()) / 1000;
  return new ApiError(
    "temporarily_unavailable",
    "Stripe has reported an error, and it is not known yet whether it created the account. Send the same request again after Retry-After.",
    { retryAfterSeconds: Math.max(1, Math.ceil(left)) },
  );
}

/** Only someone who can work needs to be paid, and only a proved domain says who is asking. @throws ApiError gate_refused */
function requireDomain({ actor }: ServiceContext): void {
  if (isDomainProved(actor.domainStatus)) return;
  const remedy = proofRemedy(actor.hasEndpoint);
  throw gateRefused([{ gate: "domain", passed: false, reason: actor.domainStatus, remedy }]);
}

type LiveStep = Omit<AccountStep, "step"> & { step: "live_offered" };

const WITHOUT_LIVE: LiveStep = {
  step: "live_offered",
  done: false,
  detail: "LIVE payments are not configured on this installation. TEST needs no payment account.",
  remedy: "Ask the administrator of this service to configure LIVE, or work in TEST.",
};

/**
 * What the caller's payment account still needs, as read from Stripe within the last minute. Without LIVE, the only step says so.
 * @throws ApiError temporarily_unavailable
 */
export async function readReadiness(
  ctx: ServiceContext,
): Promise<{ readiness: (AccountStep | LiveStep)[]; failed_payouts?: FailedPayout[] }> {
  if (!env().stripe) return { readiness: [WITHOUT_LIVE] };
  const row = await prisma().paymentAccount.findUnique({ where: { identityId: ctx.actor.id } });
  const isFresh = row?.refreshedAt && secondsAfter(row.refreshedAt, FRESH_SECONDS) > ctx.clock.now();
  const account = isFresh
    ? row
    : await refreshAccount(ctx, ctx.actor.id).catch((thrown) => {
        throw toCallerError(thrown);
      });
  const failed = await readFailedPayouts(ctx.actor.id);
  return {
    readiness: accountReadiness(ctx.actor.id, account),
    ...(failed.length > 0 ? { failed_payouts: failed } : {}),
  };
}

async function ensureAccount(ctx: ServiceContext, gateway: LiveGateway, given?: string): Promise<Account> {
  const { id: identityId, name } = ctx.actor;
  const known = await prisma().paymentAccount.findUnique({ where: { identityId } });
  const contactEmail = given ?? known?.contactEmail ?? (await ownersAddress(identityId));
  if (!contactEmail && !known?.stripeAccountId)
    throw invalidInput(
      "contact_email",
      "is required, because no owner is linked to this identity: give an address that its operator reads. Stripe writes there about the account",
    );
  const begun = await transaction(async (tx) => {
    const made = await tx.paymentAccount.createMany({
      data: { id: newId("acc"), identityId, createdAt: ctx.clock.now() },
      skipDuplicates: true,
    });
    if (given) await tx.paymentAccount.update({ where: { identityId }, data: { contactEmail: given } });
    if (made.count > 0)
      await audit(tx, ctx, { action: "begin_payment_account", subjectKind: "identity", subjectId: identityId });
    return { row: await tx.paymentAccount.findUniqueOrThrow({ where: { identityId } }), fresh: made.count > 0 };
  });
  const { fresh } = begun;
  let { row } = begun;
  if (row.stripeAccountId) {
    const readAt = ctx.clock.now();
    const known = await gateway.readAccount(row.stripeAccountId, row.apiVersion);
    if (known && !known.closed) return storeAccount(ctx, row, known, readAt);
    // The account is closed: the next one is a new account, under a new key.
    row = await prisma().paymentAccount.update({
      where: { id: row.id },
      data: { stripeAccountId: null, attempt: { increment: 1 }, attemptedAt: ctx.clock.now() },
    });
  }
  const order: AccountOrder = { accountRowId: row.id, attempt: row.attempt, publicId: identityId, name, contactEmail };
  const since = ctx.clock.now();
  // An earlier attempt may have created it.
  const found = fresh ? undefined : await gateway.findAccount(order);
  const account = found ?? (await createAccount(ctx, gateway, row, order));
  return storeAccount(ctx, row, account, since);
}

/** @throws ProcessorError */
async function createAccount(
  ctx: Context,
  gateway: LiveGateway,
  row: PaymentAccount,
  order: AccountOrder,
): Promise<Account> {
  try {
    return await gateway.openAccount(order);
  } catch (error) {
    if (!(error instanceof ProcessorError) || !(await giveUpAttempt(ctx, row, error))) throw error;
    // Stripe has only repeated what it said to the earlier key.
    return gateway.openAccount({ ...order, attempt: order.attempt + 1 });
  }
}

/** The address of the identity's owner, if one is linked. */
async function ownersAddress(identityId: string): Promise<string | undefined> {
  const identity = await prisma().identity.findUnique({
    where: { id: identityId },
    select: { owner: { select: { email: true } } },
  });
  return identity?.owner?.email;
}

/**
 * After a refusal the next attempt uses another key, because Stripe repeats its answer to the same one. After a failure that Stripe
 * reported, it does so once the outcome is known.
 * @returns whether a new key can be sent now
 */
async function giveUpAttempt(ctx: Context, row: PaymentAccount, error: ProcessorError): Promise<boolean> {
  const now = ctx.clock.now();
  const isKnown = secondsAfter(row.attemptedAt ?? row.createdAt, OUTCOME_SECONDS) <= now;
  if (error.kind !== "refused" && !(error.answered && isKnown)) return false;
  const { count } = await prisma().paymentAccount.updateMany({
    where: { id: row.id, attempt: row.attempt },
    data: { attempt: { increment: 1 }, attemptedAt: now },
  });
  return error.kind !== "refused" && count > 0;
}

/**
 * Reads an identity's account at Stripe and stores it. Undefined if there is no account.
 * @throws ProcessorError
 */
export async function refreshAccount(ctx: Context, identityId: string): Promise<PaymentAccount | undefined> {
  const row = await prisma().paymentAccount.findUnique({ where: { identityId } });
  if (!row?.stripeAccountId) return undefined;
  const since = ctx.clock.now();
  const account = await (await liveGateway()).readAccount(row.stripeAccountId, row.apiVersion);
  if (account) await storeAccount(ctx, row, account, since);
  else await closeAccount(ctx, row, since);
  return prisma().paymentAccount.findUniqueOrThrow({ where: { identityId } });
}

/** Stripe no longer shows us the account: it was closed, or it disconnected from this platform. */
async function closeAccount(ctx: Context, { id, identityId, stripeAccountId }: PaymentAccount, since: Date) {
  await transaction(async (tx) => {
    await tx.paymentAccount.update({ where: { id }, data: { refreshedAt: since } });
    const { count } = await tx.paymentAccount.updateMany({ where: { id, closed: false }, data: { closed: true } });
    if (count > 0)
      await audit(tx, ctx, {
        action: "payment_account_closed",
        subjectKind: "identity",
        subjectId: identityId,
        data: { stripe_account: stripeAccountId },
      });
  });
}

/** Stores what was read from Stripe at `since`, unless something newer is already stored. */
async function storeAccount(ctx: Context, row: PaymentAccount, account: Account, since: Date): Promise<Account> {
  await transaction(async (tx) => {
    const { count } = await tx.paymentAccount.updateMany({
      where: { id: row.id, OR: [{ refreshedAt: null }, { refreshedAt: { lte: since } }] },
      data: {
        stripeAccountId: account.accountId,
        apiVersion: account.apiVersion,
        namedIdentityId: account.publicId,
        transfersStatus: account.transfers,
        payoutsStatus: account.payouts,
        requirementsDue: account.requirementsDue,
        closed: account.closed,
        refreshedAt: since,
      },
    });
    if (count === 0) return;
    const changed =
      row.stripeAccountId !== account.accountId ||
      row.transfersStatus !== account.transfers ||
      row.payoutsStatus !== account.payouts ||
      row.namedIdentityId !== account.publicId ||
      row.closed !== account.closed ||
      row.requirementsDue.join() !== account.requirementsDue.join();
    if (!changed) return;
    await audit(tx, ctx, {
      action: "payment_account",
      subjectKind: "identity",
      subjectId: row.identityId,
      data: {
        stripe_account: account.accountId,
        transfers: account.transfers,
        payouts: account.payouts,
        requirements_due: account.requirementsDue,
      },
    });
    await wakeTransfers(tx, row.identityId);
  });
  return account;
}
