import { prisma } from "#lib/db/client.ts";
import type { HeldPost, Moderation, Prisma, Quote, Rehearsal } from "#lib/db/generated/client.ts";
import { offersOf } from "#lib/identity/offers/list-offers.ts";
import type { viewOffer } from "#lib/identity/view.ts";
import { iso } from "#lib/kernel/clock.ts";
import { decodeCursor } from "#lib/kernel/cursor.ts";

// What an owner's export lists, read in batches.

/** Rows per query. Bounds memory to a few megabytes, whatever the size of the account. */
export const BATCH = 50;

/** Reads batches until one is not full. `read` gets the last row of the batch before. */
async function* batches<Row>(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  for (;;) {
    const rows = await read(last);
    yield rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1);
  }
}

/** The owner's reports. */
export function reports(ownerId: string) {
  const select = {
    id: true,
    subjectKind: true,
    subjectId: true,
    postId: true,
    reason: true,
    state: true,
    createdAt: true,
    resolvedAt: true,
  } as const;
  const read = batches<Prisma.ReportGetPayload<{ select: typeof select }>>((last) =>
    prisma().report.findMany({
      where: { ownerId, ...(last && { id: { gt: last.id } }) },
      orderBy: { id: "asc" },
      take: BATCH,
      select,
    }),
  );
  return mapped(read, ({ id, subjectKind, subjectId, postId, reason, state, createdAt, resolvedAt }) => ({
    report_id: id,
    subject_kind: subjectKind,
    subject_id: subjectId,
    post_id: postId,
    reason,
    state,
    created_at: iso(createdAt),
    resolved_at: iso(resolvedAt),
  }));
}

const IDENTITY = {
  id: true,
  name: true,
  description: true,
  endpoint: true,
  skills: true,
  protocols: true,
  publicProfile: true,
  domainStatus: true,
  state: true,
  createdAt: true,
} as const;

/** The owner's service identities, each with its public ID for what belongs to it. */
export function identities(ownerId: string) {
  const read = batches<Prisma.IdentityGetPayload<{ select: typeof IDENTITY }>>((last) =>
    prisma().identity.findMany({
      where: { ownerId, ...(last && { id: { gt: last.id } }) },
      orderBy: { id: "asc" },
      take: BATCH,
      select: IDENTITY,
    }),
  );
  return mapped(read, ({ id, publicProfile, domainStatus, createdAt, ...declared }) => ({
    public_id: id,
    ...declared,
    public_profile: publicProfile,
    domain_status: domainStatus,
    created_at: iso(createdAt),
  }));
}

/** What the identity said in disputes. */
export function disputeStatements(authorId: string) {
  const read = batches<Prisma.DisputeStatementGetPayload<{ include: { dispute: { select: { taskId: true } } } }>>(
    (last) =>
      prisma().disputeStatement.findMany({
        where: {
          authorId,
          ...(last && {
            OR: [{ disputeId: { gt: last.disputeId } }, { disputeId: last.disputeId, number: { gt: last.number } }],
          }),
        },
        orderBy: [{ disputeId: "asc" }, { number: "asc" }],
        take: BATCH,
        include: { dispute: { select: { taskId: true } } },
      }),
  );
  return mapped(read, ({ disputeId, number, statement, createdAt, dispute }) => ({
    dispute_id: disputeId,
    task_id: dispute.taskId,
    number,
    statement,
    created_at: iso(createdAt),
  }));
}

/** What the identity wrote to others about tasks. */
export function messages(fromId: string) {
  const select = { id: true, taskId: true, otherId: true, body: true, createdAt: true } as const;
  const read = batches<Prisma.MessageGetPayload<{ select: typeof select & { conversation: typeof REQUESTER } }>>(
    (last) =>
      prisma().message.findMany({
        where: {
          fromId,
          ...(last && {
            OR: [{ createdAt: { gt: last.createdAt } }, { createdAt: last.createdAt, id: { gt: last.id } }],
          }),
        },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        take: BATCH,
        select: { ...select, conversation: REQUESTER },
      }),
  );
  return mapped(read, ({ id, taskId, otherId, body, createdAt, conversation }) => ({
    message_id: id,
    task_id: taskId,
    to: otherId === fromId ? conversation.task.requesterId : otherId,
    body,
    at: iso(createdAt),
  }));
}

const REQUESTER = { select: { task: { select: { requesterId: true } } } } as const;

/** The quotes that it has made. */
export function quotes(providerId: string) {
  const read = batches<Quote>((last) =>
    prisma().quote.findMany({
      where: { providerId, ...(last && { seq: { gt: last.seq } }) },
      orderBy: { seq: "asc" },
      take: BATCH,
    }),
  );
  return mapped(read, ({ id, taskId, amountPence, note, dueAt, expiresAt, createdAt }) => ({
    ...{ quote_id: id, task_id: taskId, amount_pence: amountPence, note, due_at: dueAt },
    ...{ expires_at: iso(expiresAt), created_at: iso(createdAt) },
  }));
}

/** The files that it has uploaded to tasks. While they are kept, it can download their bytes with its own token. */
export function files(uploaderId: string) {
  const read = batches<Prisma.FileGetPayload<object>>((last) =>
    prisma().file.findMany({
      where: { uploaderId, state: { not: "uploading" }, ...(last && { id: { gt: last.id } }) },
      orderBy: { id: "asc" },
      take: BATCH,
    }),
  );
  return mapped(read, ({ id, taskId, name, size, mediaType, sha256, purpose, state, createdAt, removedAt }) => ({
    ...{ file_id: id, task_id: taskId, name, size, media_type: mediaType, sha256, purpose, state },
    ...{ created_at: iso(createdAt), removed_at: iso(removedAt) },
  }));
}

/** Its offers as it reads them, with what is known of their orders. */
export async function* offers(identityId: string): AsyncGenerator<ReturnType<typeof viewOffer>[]> {
  let cursor: string | undefined;
  do {
    const { offers: read, next_cursor } = await offersOf(identityId, { cursor, limit: BATCH });
    yield read;
    cursor = next_cursor === null ? undefined : decodeCursor(next_cursor);
  } while (cursor !== undefined);
}

/** Orders of its examples by this installation. */
export function rehearsals(identityId: string) {
  const read = batches<Rehearsal>((last) =>
    prisma().rehearsal.findMany({
      where: { identityId, ...(last && { seq: { gt: last.seq } }) },
      orderBy: { seq: "asc" },
      take: BATCH,
    }),
  );
  return mapped(read, ({ id, offerId, taskId, state, reason, seconds, createdAt, endedAt }) => ({
    ...{ rehearsal_id: id, offer_id: offerId, task_id: taskId, state, reason, seconds },
    ...{ created_at: iso(createdAt), ended_at: iso(endedAt) },
  }));
}

/** Its saved templates of tasks and offers: at most 20 of each. */
export async function templates(identityId: string) {
  const rows = await prisma().template.findMany({ where: { identityId }, orderBy: [{ kind: "asc" }, { name: "asc" }] });
  return rows.map(({ kind, name, fields, savedAt }) => ({ kind, name, fields, saved_at: iso(savedAt) }));
}

/** The programs that the owner has connected: at most 50. */
export async function connections(ownerId: string) {
  const rows = await prisma().oauthConnection.findMany({ where: { ownerId }, orderBy: { createdAt: "asc" } });
  return rows.map((row) => ({
    connection_id: row.id,
    public_id: row.identityId,
    name: row.clientName,
    host: row.clientHost,
    scopes: row.scopes,
    max_price_pence: row.maxPricePence,
    created_at: iso(row.createdAt),
    expires_at: iso(row.expiresAt),
    last_used_at: iso(row.lastUsedAt),
  }));
}

/** Of what the owner is told, and where: at most 11 channels, without their addresses. */
export async function notifications(ownerId: string) {
  const { toldKinds, channels } = await prisma().owner.findUniqueOrThrow({
    where: { id: ownerId },
    select: { toldKinds: true, channels: { orderBy: { createdAt: "asc" }, omit: { address: true } } },
  });
  return {
    kinds: toldKinds,
    channels: channels.map(({ id, kind, hint, enabled, lastError, lastSentAt, createdAt }) => ({
      ...{ channel_id: id, kind, label: hint, enabled, last_error: lastError },
      ...{ last_sent_at: iso(lastSentAt), created_at: iso(createdAt) },
    })),
  };
}

/** What administrators did to the owner's agents and their posts, with the appeals. */
export async function* moderations(ownerId: string) {
  const agents = await prisma().$queryRaw<{ id: string }[]>`
    SELECT id FROM profiles WHERE owner_id = ${ownerId} UNION SELECT id FROM identities WHERE owner_id = ${ownerId}`;
  const own = { agentId: { in: agents.map(({ id }) => id) } };
  const read = batches<Moderation>((last) =>
    prisma().moderation.findMany({
      where: { ...own, ...(last && { OR: [{ at: { gt: last.at } }, { at: last.at, id: { gt: last.id } }] }) },
      orderBy: [{ at: "asc" }, { id: "asc" }],
      take: BATCH,
    }),
  );
  yield* mapped(read, ({ id, agentId, act, subjectId, rule, reason, at, ...row }) => ({
    ...{ moderation_id: id, public_id: agentId, act, subject_id: subjectId, rule, reason, at: iso(at) },
    ...{ appeal: row.appeal, appeal_reason: row.appealReason, appealed_at: iso(row.appealedAt) },
    ...{ decision: row.decisionReason, decided_at: iso(row.decidedAt) },
  }));
}

/** Its posts that were held by rule 4, with what was decided. */
export function heldPosts(authorId: string) {
  const read = batches<HeldPost>((last) =>
    prisma().heldPost.findMany({
      where: {
        authorId,
        ...(last && {
          OR: [{ createdAt: { gt: last.createdAt } }, { createdAt: last.createdAt, id: { gt: last.id } }],
        }),
      },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      take: BATCH,
    }),
  );
  return mapped(read, ({ id, threadId, room, replyTo, title, body, createdAt, state, decidedAt, decisionReason }) => ({
    ...{ post_id: id, thread_id: threadId, room, reply_to: replyTo, title, body, created_at: iso(createdAt) },
    ...{ state, decided_at: iso(decidedAt), decision: decisionReason },
  }));
}

/** What its owner lets it agree to; null without limits. */
export async function limits(identityId: string) {
  const row = await prisma().ownerLimits.findUnique({ where: { identityId } });
  return (
    row && {
      per_task_pence: row.perTaskPence,
      per_day_pence: row.perDayPence,
      ask_above_pence: row.askAbovePence,
      allowed: row.allowed,
      blocked: row.blocked,
      updated_at: iso(row.updatedAt),
    }
  );
}

/** The owner's community profiles. */
export function profiles(ownerId: string) {
  const omit = { keyDigest: true, claimDigest: true } as const;
  const read = batches<Prisma.ProfileGetPayload<{ omit: typeof omit }>>((last) =>
    prisma().profile.findMany({
      where: { ownerId, ...(last && { id: { gt: last.id } }) },
      orderBy: { id: "asc" },
      take: BATCH,
      omit,
    }),
  );
  return mapped(read, (profile) => ({
    public_id: profile.id,
    name: profile.name,
    bio: profile.bio,
    framework: profile.framework,
    country_code: profile.countryCode,
    arrival_source: profile.arrivalSource,
    homepage_url: profile.homepageUrl,
    joined_at: iso(profile.joinedAt),
    claimed_at: iso(profile.claimedAt),
    suspended_at: iso(profile.suspendedAt),
    key: { hint: profile.keyHint, created_at: iso(profile.keyCreatedAt) },
  }));
}

/** All posts of a profile. */
export function posts(authorId: string) {
  const select = {
    id: true,
    seq: true,
    threadId: true,
    room: true,
    replyTo: true,
    title: true,
    body: true,
    createdAt: true,
    withdrawnAt: true,
  } as const;
  const read = batches<Prisma.PostGetPayload<{ select: typeof select }>>((last) =>
    prisma().post.findMany({
      where: { authorId, ...(last && { seq: { gt: last.seq } }) },
      orderBy: { seq: "asc" },
      take: BATCH,
      select,
    }),
  );
  return mapped(read, ({ id, seq, threadId, room, replyTo, title, body, createdAt, withdrawnAt }) => ({
    post_id: id,
    seq: Number(seq),
    thread_id: threadId,
    room,
    reply_to: replyTo,
    title,
    body,
    created_at: iso(createdAt),
    withdrawn_at: iso(withdrawnAt),
  }));
}

async function* mapped<Row, View>(rows: AsyncGenerator<Row[]>, view: (row: Row) => View): AsyncGenerator<View[]> {
  for await (const batch of rows) yield batch.map(view);
}
