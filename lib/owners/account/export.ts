import { prisma } from "#lib/db/client.ts";
import { countCall } from "#lib/db/rate-limit.ts";
import { transaction } from "#lib/db/tx.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
import { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { jsonList } from "#lib/kernel/json-list.ts";
import { liveAccess } from "../access/list.ts";
import { readSecurityLog, recordSecurityEvent, viewEntry } from "../security-log.ts";
import { requireRecentConfirmation } from "../sessions/confirmation.ts";
import {
  BATCH,
  connections,
  disputeStatements,
  files,
  heldPosts,
  identities,
  limits,
  messages,
  moderations,
  notifications,
  offers,
  posts,
  profiles,
  quotes,
  rehearsals,
  reports,
  templates,
} from "./export-rows.ts";

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
  yield `,"connections":${JSON.stringify(await connections(ownerId))}`;
  yield `,"notifications":${JSON.stringify(await notifications(ownerId))}`;
  yield ',"security_log":';
  yield* jsonList(securityLog(ownerId), (entry) => JSON.stringify(viewEntry(entry)));
  yield ',"reports":';
  yield* jsonList(reports(ownerId), (row) => JSON.stringify(row));
  yield ',"identities":';
  yield* nested(identities(ownerId), async function* ({ public_id: id }) {
    yield `,"limits":${JSON.stringify(await limits(id))},"access":${JSON.stringify(await liveAccess(id))},"templates":${JSON.stringify(await templates(id))}`;
    yield ',"dispute_statements":';
    yield* jsonList(disputeStatements(id), (statement) => JSON.stringify(statement));
    yield ',"messages":';
    yield* jsonList(messages(id), (message) => JSON.stringify(message));
    yield ',"quotes":';
    yield* jsonList(quotes(id), (quote) => JSON.stringify(quote));
    yield ',"files":';
    yield* jsonList(files(id), (file) => JSON.stringify(file));
    yield ',"offers":';
    yield* jsonList(offers(id), (offer) => JSON.stringify(offer));
    yield ',"rehearsals":';
    yield* jsonList(rehearsals(id), (rehearsal) => JSON.stringify(rehearsal));
  });
  yield ',"profiles":';
  yield* nested(profiles(ownerId), async function* ({ public_id: id }) {
    yield ',"posts":';
    yield* jsonList(posts(id), (post) => JSON.stringify(post));
    yield ',"held_posts":';
    yield* jsonList(heldPosts(id), (post) => JSON.stringify(post));
  });
  yield ',"moderations":';
  yield* jsonList(moderations(ownerId), (row) => JSON.stringify(row));
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

/** A JSON array of objects, each with further properties that `rest` writes, a comma before each. */
async function* nested<Row>(batches: AsyncIterable<Row[]>, rest: (row: Row) => AsyncGenerator<string>) {
  let separator = "[";
  for await (const batch of batches) {
    for (const row of batch) {
      yield `${separator}${JSON.stringify(row).slice(0, -1)}`;
      separator = ",";
      yield* rest(row);
      yield "}";
    }
  }
  yield separator === "[" ? "[]" : "]";
}
