import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { recordSecurityEvent } from "#lib/owners/security-log.ts";
import { type Dispatcher, dispatch, type Options } from "../delivery/dispatcher.ts";
import { receiverRows } from "../delivery/receiver-rows.ts";
import { type Means, MOST_IN_ROUND, type Numbered, type Reason, type Receivers } from "../delivery/round.ts";
import type { Attempt, Send } from "../delivery/send.ts";
import { type Address, isOutdated, openAddress, pushPublicKey, sealAddress } from "./address.ts";
import { requestFor, type Told, writeTold } from "./message.ts";

const HELD = {
  ownerId: db.text.from("r.owner_id"),
  kind: db.channelKind.from("r.kind"),
  address: db.bytea.from("r.address"),
};

// The acts that owners are told of put rows into `notifications` (a trigger of the audit trail), and touch no channel, so they wait for no
// sender.
export const channelRows = receiverRows({
  name: "channel",
  table: "owner_channels",
  key: "id",
  held: HELD,
  owner: "owners o",
  belongs: "o.id = r.owner_id",
  unpaused: "o.disabled_at IS NULL",
  waiting: "r.id IN (SELECT channel_id FROM notifications WHERE ended_at IS NULL)",
  delivered: "last_sent_at = :now",
});

type HeldChannel = Awaited<ReturnType<typeof channelRows.claim>>[number];

const CHANNELS: Receivers<HeldChannel> = {
  rows: channelRows,
  next,
  unreadable: "The address can no longer be read: set it up again.",
  stop,
};

/** Sends owners' notifications in this process, with the guards, lanes and retries of webhooks. */
export function startNotifying(options: Options = {}): Dispatcher {
  return dispatch(CHANNELS, options);
}

const WAITING = {
  number: db.bigint.from("n.number"),
  kind: db.text.from("n.kind"),
  agentId: db.nullable(db.text).from("n.agent_id"),
  agentName: db.nullable(db.text).from("i.name"),
  at: db.timestamp.from("n.at"),
};

/** The next that wait for a channel, oldest first. */
export const nextOf = statement(
  "channel_next",
  WAITING,
  `SELECT ${db.select(WAITING)} FROM notifications n LEFT JOIN identities i ON i.id = n.agent_id
   WHERE n.channel_id = $1 AND n.ended_at IS NULL ORDER BY n.number LIMIT $2`,
);

const note = statement(
  "channel_note",
  {},
  "UPDATE notifications SET attempts = attempts + 1, outcome = $3, status = $4, ended_at = $5 WHERE channel_id = $1 AND number = $2",
);

const renewAddress = statement(
  "channel_renew",
  {},
  "UPDATE owner_channels SET address = $3 WHERE id = $1 AND address = $2",
);

async function next(channel: HeldChannel) {
  const { id, kind } = channel;
  const address = openAddress(channel);
  if (!address) return undefined;
  if (isOutdated(channel)) await renewAddress(id, channel.address, sealAddress(address, id));
  const waiting = await nextOf(id, MOST_IN_ROUND);
  return {
    due: waiting.map((each) => ({
      attempt: ({ send, signal }: Means) => sendTold(send, kind, address, writeTold(each), signal),
      note: ({ outcome, status, at }: Numbered) =>
        note(id, each.number, outcome, status, outcome === "delivered" ? at : null),
    })),
  };
}

/** The operator has removed the key, perhaps by mistake. */
const WITHOUT_KEY: Attempt = {
  outcome: "unreachable",
  status: null,
  ms: 0,
  error: "Web Push is not set up on this service at present.",
  retryAfterSeconds: null,
  text: null,
};

/** Sends a message once. Push services answer 404 or 410 once a browser has unsubscribed. */
export async function sendTold(
  send: Send,
  kind: HeldChannel["kind"],
  address: Address,
  told: Told,
  signal?: AbortSignal,
): Promise<Attempt> {
  if (kind === "push" && !pushPublicKey()) return WITHOUT_KEY;
  const attempt = await send({ ...requestFor(kind, address, told), signal });
  return kind === "push" && attempt.status === 404 ? { ...attempt, outcome: "gone" } : attempt;
}

/** Ends the channel: a browser's is removed, a hook is disabled and says why. What waited is dropped. */
async function stop(channel: HeldChannel, means: Means, reason: Reason, error: string): Promise<void> {
  const { clock, holder } = means;
  const ctx: Context = { actor: { kind: "system", id: "notifications" }, clock, requestId: newId("req") };
  await transaction(async (tx) => {
    const where = { id: channel.id, holder };
    const data = { enabled: false, lastError: error, holder: null, heldUntil: null };
    const { count } =
      channel.kind === "push"
        ? await tx.ownerChannel.deleteMany({ where })
        : await tx.ownerChannel.updateMany({ where, data });
    if (count === 0) return;
    await tx.notification.deleteMany({ where: { channelId: channel.id, endedAt: null } });
    await recordStop(tx, ctx, channel, reason);
  });
}

export function recordStop(
  tx: Tx,
  ctx: Context,
  { id, ownerId, kind }: Pick<HeldChannel, "id" | "ownerId" | "kind">,
  reason: Reason,
): Promise<void> {
  return recordSecurityEvent(tx, ctx, {
    ownerId,
    action: kind === "push" ? "notifications_removed" : "notifications_stopped",
    data: { channel_id: id, kind, why: reason },
  });
}
