import { pool, prisma } from "#lib/db/client.ts";
import { countCall } from "#lib/db/rate-limit.ts";
import { transaction } from "#lib/db/tx.ts";
import { offersOf } from "#lib/identity/offers/list-offers.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { decodeCursor } from "#lib/kernel/cursor.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
import { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { jsonList } from "#lib/kernel/json-list.ts";
import { liveAccess } from "../access/list.ts";
import { readSecurityLog, recordSecurityEvent, viewEntry } from "../security-log.ts";
import { requireRecentConfirmation } from "../sessions/confirmation.ts";
import { BATCH, OF_IDENTITY, OF_PROFILE, OWNED, type Row, rowsOf } from "./export-rows.ts";

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
  const { toldKinds } = await prisma().owner.findUniqueOrThrow({ where: { id: ownerId }, select: { toldKinds: true } });
  yield JSON.stringify(opening).slice(0, -1);
  yield* lists({ connections: OWNED.connections }, ownerId);
  yield `,"notifications":{"kinds":${JSON.stringify(toldKinds)}`;
  yield* lists({ channels: OWNED.channels }, ownerId);
  yield '},"security_log":';
  yield* jsonList(securityLog(ownerId), (entry) => JSON.stringify(viewEntry(entry)));
  yield* lists({ reports: OWNED.reports }, ownerId);
  yield ',"identities":';
  yield* nested(rowsOf(OWNED.identities, ownerId), async function* ({ public_id }) {
    const id = String(public_id);
    yield `,"limits":${JSON.stringify(await limits(id))},"access":${JSON.stringify(await liveAccess(id))},"offers":`;
    yield* jsonList(offers(id), (offer) => JSON.stringify(offer));
    yield* lists(OF_IDENTITY, id);
  });
  yield ',"profiles":';
  yield* nested(profiles(ownerId), ({ public_id: id }) => lists(OF_PROFILE, String(id)));
  yield* lists({ moderations: OWNED.moderations }, ownerId);
  yield "}";
}

/** These lists as properties of an object, a comma before each. */
async function* lists(wanted: Record<string, Parameters<typeof rowsOf>[0]>, id: string): AsyncGenerator<string> {
  for (const [name, list] of Object.entries(wanted)) {
    yield `,"${name}":`;
    yield* jsonList(rowsOf(list, id), (row) => JSON.stringify(row));
  }
}

async function* profiles(ownerId: string): AsyncGenerator<Row[]> {
  for await (const batch of rowsOf(OWNED.profiles, ownerId))
    yield batch.map(({ key_hint, key_created_at, ...profile }) => ({
      ...profile,
      key: { hint: key_hint, created_at: key_created_at },
    }));
}

/** What the owner lets an identity agree to; null without limits. */
async function limits(identityId: string): Promise<object | null> {
  const { rows } = await pool().query<object>(
    `SELECT per_task_pence, per_day_pence, ask_above_pence, allowed, blocked, updated_at FROM owner_limits WHERE identity_id = $1`,
    [identityId],
  );
  return rows[0] ?? null;
}

/** An identity's offers as it reads them, with what is known of their orders. */
async function* offers(identityId: string): AsyncGenerator<object[]> {
  let cursor: string | undefined;
  do {
    const { offers: read, next_cursor } = await offersOf(identityId, { cursor, limit: BATCH });
    yield read;
    cursor = next_cursor === null ? undefined : decodeCursor(next_cursor);
  } while (cursor !== undefined);
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
