import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { Context, OwnerContext } from "#lib/kernel/context.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
import { ApiError, invalidInput, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { clip } from "#lib/kernel/text.ts";
import { requireRecentConfirmation } from "../sessions/confirmation.ts";
import { type ChallengePurpose, storeChallenge, takeChallenge } from "./challenges.ts";
import { addFactor, removeFactor } from "./factor-set.ts";
import {
  MAX_PASSKEYS,
  type Passkey,
  type PasskeyAddAnswer,
  type PasskeyAddInput,
  type PasskeyAssertion,
  type PasskeyOptionsAnswer,
  type PasskeyRemoveInput,
  type RemovedAnswer,
  type SecondStepOptionsAnswer,
} from "./schema.ts";
import {
  canHavePasskeys,
  challengeOf,
  creationOptions,
  requestOptions,
  verifyCreation,
  verifyRequest,
} from "./webauthn.ts";

const MAX_NAME = 60;

type PasskeyRow = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null; backedUp: boolean };

export function viewPasskey(row: PasskeyRow): z.output<typeof Passkey> {
  return {
    passkey_id: row.id,
    name: row.name,
    created_at: iso(row.createdAt),
    last_used_at: iso(row.lastUsedAt),
    backed_up: row.backedUp,
  };
}

function registeredPasskeys(ownerId: string) {
  return prisma().ownerPasskey.findMany({
    where: { ownerId },
    select: { id: true, transports: true },
    take: MAX_PASSKEYS,
  });
}

/**
 * What the browser needs to create a passkey.
 * @throws ApiError forbidden (step_up_required), quota_exceeded, state_conflict if the service has no host name
 */
export async function beginPasskey(ctx: OwnerContext): Promise<z.output<typeof PasskeyOptionsAnswer>> {
  requireRecentConfirmation(ctx);
  if (!canHavePasskeys()) {
    throw stateConflict(
      "Passkeys need a host name, but this service uses an IP address. Set up an authenticator app instead.",
    );
  }
  const { id: ownerId, name, sessionId } = ctx.actor;
  const [passkeys, { email }] = await Promise.all([
    registeredPasskeys(ownerId),
    prisma().owner.findUniqueOrThrow({ where: { id: ownerId }, select: { email: true } }),
  ]);
  if (passkeys.length >= MAX_PASSKEYS) throw tooMany();
  const options = await creationOptions({ ownerId, email, name }, passkeys);
  await storeChallenge(ctx, options.challenge, "add_passkey", sessionId);
  return { options: { ...options } };
}

/**
 * Adds the passkey that the browser created.
 * @throws ApiError forbidden (step_up_required), invalid_input when it doesn't answer our challenge, quota_exceeded, state_conflict
 *   when it is already registered
 */
export async function addPasskey(
  ctx: OwnerContext,
  { passkey: answer, name }: z.output<typeof PasskeyAddInput>,
): Promise<z.output<typeof PasskeyAddAnswer>> {
  requireRecentConfirmation(ctx);
  const { id: ownerId, sessionId } = ctx.actor;
  const challenge = await challengeOf(answer.response.clientDataJSON);
  const isOurs = challenge !== undefined && (await takeChallenge(ctx, challenge, "add_passkey", sessionId));
  const made = isOurs ? await verifyCreation(answer, challenge) : undefined;
  if (!made) throw invalidInput("passkey", "could not be verified. Try again, and finish within 5 minutes");
  const row = {
    ...made,
    counter: BigInt(made.counter),
    transports: answer.response.transports ?? [],
    ownerId,
    name: name ?? clip(deviceWords(ctx.client?.userAgent ?? null), MAX_NAME),
    createdAt: ctx.clock.now(),
    lastUsedAt: null,
  };
  const recoveryCodes = await addFactor(ctx, { kind: "passkey", name: row.name }, async (tx) => {
    if ((await tx.ownerPasskey.count({ where: { ownerId } })) >= MAX_PASSKEYS) throw tooMany();
    const { count } = await tx.ownerPasskey.createMany({ data: [row], skipDuplicates: true });
    if (count === 0) throw stateConflict("This passkey is already registered.");
  });
  return { passkey: viewPasskey(row), recovery_codes: recoveryCodes };
}

/** @throws ApiError forbidden (step_up_required), not_found when it isn't the caller's */
export async function removePasskey(
  ctx: OwnerContext,
  { passkey_id: id }: z.output<typeof PasskeyRemoveInput>,
): Promise<z.output<typeof RemovedAnswer>> {
  requireRecentConfirmation(ctx);
  const where = { id, ownerId: ctx.actor.id };
  const passkey = await prisma().ownerPasskey.findUnique({ where, select: { name: true } });
  if (!passkey) throw notFound();
  return removeFactor(ctx, { kind: "passkey", name: passkey.name }, async (tx) => {
    const { count } = await tx.ownerPasskey.deleteMany({ where });
    if (count === 0) throw notFound();
  });
}

/** What the browser needs to confirm with one of the caller's passkeys. @throws ApiError state_conflict if there is none */
export async function askForPasskey(
  ctx: OwnerContext,
  purpose: "second_step" | "step_up",
): Promise<z.output<typeof SecondStepOptionsAnswer>> {
  const passkeys = await registeredPasskeys(ctx.actor.id);
  if (passkeys.length === 0) throw stateConflict("This account has no passkey. Use a code instead.");
  const options = await requestOptions(passkeys, "preferred");
  await storeChallenge(ctx, options.challenge, purpose, ctx.actor.sessionId);
  return { options: { ...options } };
}

/** What the browser needs to sign in with any passkey. */
export async function askForAnyPasskey(ctx: Context): Promise<z.output<typeof SecondStepOptionsAnswer>> {
  const options = await requestOptions(undefined, "required");
  await storeChallenge(ctx, options.challenge, "sign_in", null);
  return { options: { ...options } };
}

type UsedPasskey = { ownerId: string; name: string };

/**
 * The owner whose passkey answered our challenge; undefined when the answer isn't valid. The challenge is used up either way.
 * @param by the owner and session that it must belong to; null for a sign-in, where the authenticator must have checked its user,
 *   because nothing else is required
 */
export async function acceptPasskey(
  ctx: Pick<Context, "clock">,
  answer: z.output<typeof PasskeyAssertion>,
  purpose: ChallengePurpose,
  by: { ownerId: string; sessionId: string } | null,
): Promise<UsedPasskey | undefined> {
  const challenge = await challengeOf(answer.response.clientDataJSON);
  if (challenge === undefined || !(await takeChallenge(ctx, challenge, purpose, by?.sessionId ?? null)))
    return undefined;
  const row = await prisma().ownerPasskey.findUnique({
    where: { id: answer.id, ...(by ? { ownerId: by.ownerId } : {}) },
    select: { id: true, ownerId: true, publicKey: true, counter: true, name: true },
  });
  if (!row || !isHandleOf(answer.response.userHandle, row.ownerId, by === null)) return undefined;
  const credential = { id: row.id, publicKey: row.publicKey, counter: Number(row.counter) };
  const used = await verifyRequest(answer, challenge, credential, by === null ? "required" : "preferred");
  if (!used) return undefined;
  // Conditional: a copied authenticator gives two answers with the same counter, and the second is refused.
  const { count } = await prisma().ownerPasskey.updateMany({
    where: {
      id: row.id,
      OR: [{ counter: { lt: used.counter } }, ...(used.counter === 0 ? [{ counter: 0 }] : [])],
    },
    data: { counter: used.counter, backedUp: used.backedUp, lastUsedAt: ctx.clock.now() },
  });
  return count === 1 ? { ownerId: row.ownerId, name: row.name } : undefined;
}

/** A passkey that the person chose must name its account; one that we asked for may omit it. */
function isHandleOf(handle: string | null | undefined, ownerId: string, isRequired: boolean): boolean {
  if (!handle) return !isRequired;
  return Buffer.from(handle, "base64url").equals(Buffer.from(ownerId));
}

function tooMany(): ApiError {
  return new ApiError(
    "quota_exceeded",
    `An account can have at most ${MAX_PASSKEYS} passkeys. Remove one that you no longer use.`,
  );
}
