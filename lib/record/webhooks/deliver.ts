import { audit } from "#lib/db/audit.ts";
import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { transaction } from "#lib/db/tx.ts";
import { PROVED } from "#lib/identity/row.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { type Dispatcher, dispatch, type Options } from "../delivery/dispatcher.ts";
import { receiverRows } from "../delivery/receiver-rows.ts";
import { type Means, MOST_IN_ROUND, type Reason, type Receivers } from "../delivery/round.ts";
import { readEvents, recipientsOf } from "../read.ts";
import { noteDelivery } from "./deliveries.ts";
import { readSecrets, writeMessage } from "./signing.ts";

/** A webhook as its holder sees it. */
const HELD = {
  url: db.text.from("r.url"),
  types: db.arrayOf(db.text).from("r.types"),
  secret: db.bytea.from("r.secret"),
  previousSecret: db.nullable(db.bytea).from("r.previous_secret"),
  previousUntil: db.nullable(db.timestamp).from("r.previous_until"),
  cursor: db.bigint.from("r.cursor"),
  version: db.integer.from("r.version"),
  signals: db.bigint.from("r.signals"),
};

export const webhookRows = receiverRows({
  name: "webhook",
  table: "webhooks",
  key: "identity_id",
  held: HELD,
  owner: "identities i",
  belongs: "i.id = r.identity_id",
  unpaused: `i.state = 'active' AND ${PROVED}`,
  waiting: "r.pending",
  delivered: "cursor = :position",
  // If nothing is left behind the cursor, the webhook waits for new events, unless some were announced since it was claimed.
  released: `, cursor = CASE WHEN r.version = :version THEN greatest(r.cursor, :reached) ELSE r.cursor END,
    pending = NOT (:finished AND r.version = :version AND r.signals = :signals)`,
  unchanged: "r.version = :version",
});

type HeldWebhook = Awaited<ReturnType<typeof webhookRows.claim>>[number];

/** Marks webhooks that have something to deliver although nobody said so, such as after a restore. */
export const wake = statement(
  "webhook_wake",
  {},
  // Those that are being changed are left to the next time: waiting for one while others wait for this could never end.
  `UPDATE webhooks SET pending = true, signals = signals + 1
   WHERE identity_id = ANY (ARRAY(
     SELECT w.identity_id FROM webhooks w
     WHERE w.enabled AND NOT w.pending AND EXISTS (
       SELECT FROM event_recipients r WHERE r.recipient IN (w.identity_id, 'profile:' || w.identity_id) AND r.position > w.cursor)
     ORDER BY w.identity_id FOR UPDATE OF w SKIP LOCKED))`,
);

/**
 * Part of the statement that gives events their positions (`placed`): marks the webhooks that they may be for. Neither can get lost
 * without the other. The cost follows the number of new events, not of webhooks.
 */
export const ANNOUNCE = `
  UPDATE webhooks w SET pending = true, signals = w.signals + 1
  WHERE w.identity_id IN (SELECT replace(recipient, 'profile:', '') FROM placed, unnest(placed.recipients) AS recipient)`;

const WEBHOOKS: Receivers<HeldWebhook> = {
  rows: webhookRows,
  next,
  unreadable: "The secret can no longer be read: rotate it, then enable the webhook again.",
  stop: disable,
  wake,
};

/** Delivers webhooks in this process. Any number of processes may do so; each webhook is served by one of them at a time. */
export function startDispatcher(options: Options = {}): Dispatcher {
  return dispatch(WEBHOOKS, options);
}

async function next(webhook: HeldWebhook, now: Date) {
  const { id, url } = webhook;
  const secrets = await readSecrets({ ...webhook, identityId: id }, now);
  if (!secrets) return undefined;
  const { events, nextAfter, hasMore } = await nextEvents(webhook);
  return {
    due: events.map((event) => ({
      attempt: ({ send, signal }: Means, at: Date) => send({ ...writeMessage(event, secrets, at), url, signal }),
      note: (made: Parameters<typeof noteDelivery>[2]) => noteDelivery(id, event, made),
      values: { position: event.position },
    })),
    end: { reached: nextAfter, finished: !hasMore },
  };
}

/** The next events for the identity and its profile. A cursor that is older than what is kept continues from the oldest event. */
async function nextEvents({ id, cursor, types }: HeldWebhook) {
  const read = (after: number) =>
    readEvents(recipientsOf({ kind: "service", id }), {
      after,
      types: types.length > 0 ? types : undefined,
      limit: MOST_IN_ROUND,
    });
  const after = Number(cursor);
  return read(after).catch((error: unknown) => {
    const oldest = error instanceof ApiError && error.code === "cursor_expired" ? error.details.oldest : undefined;
    if (oldest === undefined || oldest === after) throw error;
    return read(oldest);
  });
}

/**
 * Stops deliveries until the identity enables them again, unless the webhook was changed or taken over since it was claimed. The
 * cursor stays, so nothing is lost. `agents/me.php` says why.
 */
async function disable(
  { id: identityId, version }: HeldWebhook,
  { holder, clock }: Means,
  reason: Reason,
  error: string,
): Promise<void> {
  const now = clock.now();
  const ctx: Context = { actor: { kind: "system", id: "webhooks" }, clock, requestId: newId("req") };
  await transaction(async (tx) => {
    const { count } = await tx.webhook.updateMany({
      where: { identityId, holder, version },
      data: {
        enabled: false,
        disabledReason: reason,
        disabledAt: now,
        lastError: error,
        holder: null,
        heldUntil: null,
        version: { increment: 1 },
        updatedAt: now,
      },
    });
    if (count === 0) {
      await tx.webhook.updateMany({ where: { identityId, holder }, data: { holder: null, heldUntil: null } });
      return;
    }
    await audit(tx, ctx, { action: "webhook_disabled", subjectKind: "identity", subjectId: identityId, reason });
  });
}
