import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import type { OwnerChannel } from "#lib/db/generated/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, invalidInput, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { recordSecurityEvent } from "#lib/owners/security-log.ts";
import { requireFactorConfirmation } from "#lib/owners/sessions/confirmation.ts";
import { requireStillOpen } from "#lib/owners/sessions/session.ts";
import { sender } from "../delivery/send.ts";
import { type Address, addressDigest, isPushKey, openAddress, pushPublicKey, sealAddress } from "./address.ts";
import { recordStop, sendTold } from "./deliver.ts";
import { writeTest } from "./message.ts";
import { viewChannel } from "./read.ts";
import type * as schema from "./schema.ts";
import type { NotificationKind } from "./schema.ts";

/** Browsers of one owner. */
const MOST_BROWSERS = 10;
/** Characters of a hook's URL by which its owner recognises it. */
const HINT = 4;

type Answer = z.output<typeof schema.ChannelAnswer>;

/** Chooses which events the caller is notified of. Messages that are already waiting are still sent. */
export async function chooseKinds(
  ctx: OwnerContext,
  input: z.output<typeof schema.KindsInput>,
): Promise<z.output<typeof schema.KindsAnswer>> {
  const { id: ownerId } = ctx.actor;
  const kinds: NotificationKind[] = [...new Set(input.kinds)];
  await transaction(async (tx) => {
    await requireStillOpen(tx, ctx.actor);
    await tx.owner.update({ where: { id: ownerId }, data: { toldKinds: kinds }, select: { id: true } });
    await recordSecurityEvent(tx, ctx, { ownerId, action: "notifications_chosen", data: { kinds } });
  });
  return { kinds };
}

/**
 * Sets up the caller's hook in place of the one before.
 * @throws ApiError forbidden (step_up_required), invalid_input (another port)
 */
export function saveHook(ctx: OwnerContext, input: z.output<typeof schema.HookInput>): Promise<Answer> {
  const parsed = parsePublicHttpsUrl(input.url);
  const url = parsed.ok ? parsed.url : input.url;
  requireOurPort(url, "url");
  return save(ctx, { kind: input.format, address: { url }, hint: `${new URL(url).host}, ends in ${url.slice(-HINT)}` });
}

/**
 * Sets up a browser. One that is known already gets its new keys.
 * @throws ApiError forbidden (step_up_required), state_conflict (no Web Push here), quota_exceeded, invalid_input
 */
export async function savePush(ctx: OwnerContext, input: z.output<typeof schema.PushInput>): Promise<Answer> {
  const { endpoint: url, ...keys } = input;
  requirePushKey();
  if (!isPushKey(keys.p256dh)) throw invalidInput("p256dh", "must be a public key of the curve P-256");
  requireOurPort(url, "endpoint");
  return save(ctx, { kind: "push", address: { url, keys }, hint: deviceWords(ctx.client?.userAgent ?? null) });
}

function requirePushKey(): void {
  if (!pushPublicKey()) throw stateConflict("Web Push is not set up on this service: use a hook.");
}

function requireOurPort(url: string, field: string): void {
  const { port, hostname } = new URL(url);
  if (port === "" || Number(port) === env().devHosts.get(hostname)?.port) return;
  throw invalidInput(field, "must leave the port out: notifications use port 443");
}

type NewChannel = { kind: OwnerChannel["kind"]; address: Address; hint: string };

async function save(ctx: OwnerContext, { kind, address, hint }: NewChannel): Promise<Answer> {
  requireFactorConfirmation(ctx);
  const { id: ownerId } = ctx.actor;
  const now = ctx.clock.now();
  const id = newId("chn");
  const digest = addressDigest(address);
  const channel = await transaction(async (tx) => {
    // Of two at once, the second sees the first one's channel.
    await tx.$queryRaw`SELECT FROM owners WHERE id = ${ownerId} FOR NO KEY UPDATE`;
    await requireStillOpen(tx, ctx.actor);
    const replaced =
      kind === "push"
        ? { addressDigest: digest }
        : { OR: [{ addressDigest: digest }, { kind: { not: "push" as const } }] };
    await tx.ownerChannel.deleteMany({ where: { ownerId, ...replaced } });
    if (kind === "push") await requireRoom(tx, ownerId);
    const made = await tx.ownerChannel.create({
      data: {
        id,
        ownerId,
        kind,
        hint,
        addressDigest: digest,
        address: sealAddress(address, id),
        dueAt: now,
        createdAt: now,
      },
    });
    await recordSecurityEvent(tx, ctx, {
      ownerId,
      action: "notifications_set",
      data: { channel_id: id, kind, hint },
    });
    return made;
  });
  return { channel: viewChannel(channel) };
}

async function requireRoom(tx: Tx, ownerId: string): Promise<void> {
  if ((await tx.ownerChannel.count({ where: { ownerId, kind: "push" } })) < MOST_BROWSERS) return;
  throw new ApiError("quota_exceeded", `This account notifies ${MOST_BROWSERS} browsers already: remove one first.`, {
    reason: "browsers",
  });
}

/** Ends a channel at once. @throws ApiError not_found */
export async function removeChannel(
  ctx: OwnerContext,
  { channel_id: id }: z.output<typeof schema.ChannelInput>,
): Promise<z.output<typeof schema.RemoveAnswer>> {
  const { id: ownerId } = ctx.actor;
  await transaction(async (tx) => {
    await requireStillOpen(tx, ctx.actor);
    const [gone] = await tx.$queryRaw<{ kind: string; hint: string }[]>`
      DELETE FROM owner_channels WHERE id = ${id} AND owner_id = ${ownerId} RETURNING kind::text, hint`;
    if (!gone) throw notFound();
    await recordSecurityEvent(tx, ctx, { ownerId, action: "notifications_removed", data: { channel_id: id, ...gone } });
  });
  return { removed: true };
}

/**
 * Sends a test once, now. It changes nothing, unless a push service answers that the browser has unsubscribed.
 * @throws ApiError not_found, state_conflict
 */
export async function tryChannel(
  ctx: OwnerContext,
  { channel_id: id }: z.output<typeof schema.ChannelInput>,
): Promise<z.output<typeof schema.TestAnswer>> {
  const channel = await prisma().ownerChannel.findUnique({ where: { id, ownerId: ctx.actor.id } });
  if (!channel) throw notFound();
  const address = openAddress(channel);
  if (!address) throw stateConflict("This address can no longer be read: set it up again.");
  if (channel.kind === "push") requirePushKey();
  const attempt = await sendTold(sender(), channel.kind, address, writeTest(ctx.clock.now()));
  if (channel.kind === "push" && attempt.outcome === "gone")
    await transaction(async (tx) => {
      const { count } = await tx.ownerChannel.deleteMany({ where: { id } });
      if (count > 0) await recordStop(tx, ctx, channel, "gone");
    });
  return { delivered: attempt.outcome === "delivered", status: attempt.status, error: attempt.error };
}
