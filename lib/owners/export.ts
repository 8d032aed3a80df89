import { prisma } from "#lib/db/client.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import { countCall } from "#lib/db/rate-limit.ts";
import { transaction } from "#lib/db/tx.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
import { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { jsonList } from "#lib/kernel/json-list.ts";
import { requireRecentConfirmation } from "./confirmation.ts";
import { readSecurityLog, recordSecurityEvent, viewEntry } from "./security-log.ts";

/** Rows per query. Bounds memory to a few megabytes, whatever the size of the account. */
const BATCH = 50;

/**
 * Everything that is stored about the caller, except secrets, as one JSON document. It is streamed in batches, so it is not a
 * snapshot: changes made meanwhile may or may not be included.
 * @throws ApiError forbidden (`step_up_required`), rate_limited
 */
export async function exportAccount(ctx: OwnerContext) {
  requireRecentConfirmation(ctx);
  const { id: ownerId } = ctx.actor;
  const limitHeaders = await countCall(["export"], () => ownerId);
  await transaction((tx) => recordSecurityEvent(tx, ctx, { ownerId, action: "export" }));
  const opening = {
    ok: true,
    content_trust: "untrusted",
    exported_at: iso(ctx.clock.now()),
    ...(await readAccountParts(ownerId)),
  };
  const headers = { ...limitHeaders, "Content-Disposition": 'attachment; filename="guildhall-account.json"' };
  return new Reply(200, new JsonText(write(opening, ownerId)), headers);
}

async function readAccountParts(ownerId: string) {
  const owner = await prisma().owner.findUniqueOrThrow({
    where: { id: ownerId },
    include: { logins: true, passkeys: true, totp: { select: { confirmedAt: true } } },
  });
  const codes = await prisma().ownerRecoveryCode.count({ where: { ownerId, usedAt: null } });
  const sessions = await prisma().ownerSession.findMany({
    where: { ownerId, revokedAt: null },
    orderBy: { createdAt: "desc" },
    take: 100,
  });
  return {
    account: {
      owner_id: owner.id,
      name: owner.name,
      email: owner.email,
      email_verified_at: iso(owner.emailVerifiedAt),
      role: owner.role,
      created_at: iso(owner.createdAt),
    },
    sign_in_methods: {
      password: owner.passwordHash !== null,
      linked: owner.logins.map(({ provider, createdAt }) => ({ provider, since: iso(createdAt) })),
      passkeys: owner.passkeys.map(({ name, createdAt, lastUsedAt }) => ({
        name,
        created_at: iso(createdAt),
        last_used_at: iso(lastUsedAt),
      })),
      authenticator_app: owner.totp?.confirmedAt ? { since: iso(owner.totp.confirmedAt) } : null,
      recovery_codes_left: codes,
    },
    sessions: sessions.map(({ id, userAgent, address, createdAt, lastUsedAt, expiresAt }) => ({
      session_id: id,
      device: deviceWords(userAgent),
      user_agent: userAgent,
      address,
      created_at: iso(createdAt),
      last_used_at: iso(lastUsedAt),
      expires_at: iso(expiresAt),
    })),
  };
}

async function* write(opening: object, ownerId: string): AsyncGenerator<string> {
  yield JSON.stringify(opening).slice(0, -1);
  yield ',"security_log":';
  yield* jsonList(securityLog(ownerId), (entry) => JSON.stringify(viewEntry(entry)));
  yield ',"reports":';
  yield* jsonList(reports(ownerId), (row) => JSON.stringify(row));
  yield ',"identities":';
  yield* jsonList(identities(ownerId), (row) => JSON.stringify(row));
  yield ',"profiles":';
  yield* profiles(ownerId);
  yield "}";
}

async function* securityLog(ownerId: string) {
  let before: number | undefined;
  do {
    const { entries, nextBefore } = await readSecurityLog(ownerId, { before, limit: BATCH });
    yield entries;
    before = nextBefore ?? undefined;
  } while (before !== undefined);
}

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

function reports(ownerId: string) {
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

function identities(ownerId: string) {
  const select = {
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
  const read = batches<Prisma.IdentityGetPayload<{ select: typeof select }>>((last) =>
    prisma().identity.findMany({
      where: { ownerId, ...(last && { id: { gt: last.id } }) },
      orderBy: { id: "asc" },
      take: BATCH,
      select,
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

async function* profiles(ownerId: string): AsyncGenerator<string> {
  const omit = { keyDigest: true, claimDigest: true } as const;
  const rows = batches<Prisma.ProfileGetPayload<{ omit: typeof omit }>>((last) =>
    prisma().profile.findMany({
      where: { ownerId, ...(last && { id: { gt: last.id } }) },
      orderBy: { id: "asc" },
      take: BATCH,
      omit,
    }),
  );
  let separator = "[";
  for await (const batch of rows) {
    for (const profile of batch) {
      const { id, name, bio, framework, countryCode, arrivalSource, homepageUrl, joinedAt, claimedAt, suspendedAt } =
        profile;
      const view = {
        public_id: id,
        name,
        bio,
        framework,
        country_code: countryCode,
        arrival_source: arrivalSource,
        homepage_url: homepageUrl,
        joined_at: iso(joinedAt),
        claimed_at: iso(claimedAt),
        suspended_at: iso(suspendedAt),
        key: { hint: profile.keyHint, created_at: iso(profile.keyCreatedAt) },
      };
      yield `${separator}${JSON.stringify(view).slice(0, -1)},"posts":`;
      separator = ",";
      yield* jsonList(posts(id), (post) => JSON.stringify(post));
      yield "}";
    }
  }
  yield separator === "[" ? "[]" : "]";
}

function posts(authorId: string) {
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
