import { randomBytes } from "node:crypto";
import { findByDigest } from "#lib/db/by-digest.ts";
import { prisma } from "#lib/db/client.ts";
import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { authenticationCode, isAuthenticationCode } from "#lib/kernel/keys.ts";
import { digestSecret, digestsOf } from "#lib/kernel/secrets.ts";
import { clip } from "#lib/kernel/text.ts";
import { readCookie, sessionCookie } from "./cookies.ts";
import { readSessionToken } from "./session-token.ts";

const MAX_USER_AGENT = 300;
const MAX_SESSIONS = 100;
/** How long a session waits for its second factor. */
const FACTOR_SECONDS = 900;

type Opening = {
  ownerId: string;
  userAgent: string | null;
  /** The network address, in the form that rate limits use. */
  address?: string;
  /** The password hash that was verified. If it has changed since, no session is opened. */
  passwordHash?: string;
  /** The session still needs the second factor, and can do nothing else until then. */
  awaitsFactor?: boolean;
};

/**
 * Opens a session and returns its ID; only a keyed digest of it is stored. Undefined when the account was disabled, or the
 * password changed after it was verified. Those changes wait for the same lock, so no session escapes their revocation.
 */
export async function openSession(opening: Opening, db: Tx = prisma()): Promise<string | undefined> {
  const { ownerId, userAgent, address = null, passwordHash = null, awaitsFactor = false } = opening;
  const sid = randomBytes(32).toString("base64url");
  const now = systemClock.now();
  const seconds = awaitsFactor ? FACTOR_SECONDS : env().sessionTtlSeconds;
  const opened = await db.$executeRaw`
    INSERT INTO owner_sessions
      (id_digest, id, owner_id, created_at, last_used_at, expires_at, user_agent, address, awaits_factor, confirmed_at)
    SELECT ${digestSecret(sid)}::bytea, ${newId("ses")}, id, ${now}::timestamptz, ${now}::timestamptz,
      ${secondsAfter(now, seconds)}::timestamptz, ${userAgent && clip(userAgent, MAX_USER_AGENT)}, ${address},
      ${awaitsFactor}, ${awaitsFactor ? null : now}::timestamptz
    FROM owners
    WHERE id = ${ownerId} AND disabled_at IS NULL AND (${passwordHash}::text IS NULL OR password_hash = ${passwordHash})
    FOR SHARE`;
  // Deletes expired sessions, and keeps the owner's list of sessions short. Those that await their factor go before the others: who
  // knows only the password must not be able to end the owner's sessions with a hundred of their own.
  await db.$executeRaw`
    DELETE FROM owner_sessions WHERE owner_id = ${ownerId} AND (expires_at < ${now} OR id_digest IN (
      SELECT id_digest FROM owner_sessions WHERE owner_id = ${ownerId} AND id_digest <> ${digestSecret(sid)}::bytea
      ORDER BY revoked_at IS NULL DESC, awaits_factor, created_at DESC OFFSET ${MAX_SESSIONS - 1}))`;
  return opened === 1 ? sid : undefined;
}

/** A session ends after this long without a request. */
export const IDLE_SECONDS = 12 * 3600;
const TOUCH_SECONDS = 60;

/**
 * Makes a session that awaited its second factor a full one, under a new ID, so that the first step's cookie is worthless.
 * Undefined when the session has ended, or was already completed.
 */
export async function replaceAwaiting(
  sessionDigest: Uint8Array,
  now: Date,
  db: Tx = prisma(),
): Promise<string | undefined> {
  const sid = randomBytes(32).toString("base64url");
  const replaced = await db.$executeRaw`
    UPDATE owner_sessions
    SET id_digest = ${digestSecret(sid)}::bytea, awaits_factor = false, confirmed_at = ${now}::timestamptz,
      last_used_at = ${now}::timestamptz, expires_at = ${secondsAfter(now, env().sessionTtlSeconds)}::timestamptz
    WHERE id_digest = ${sessionDigest}::bytea AND awaits_factor AND revoked_at IS NULL AND expires_at > ${now}`;
  return replaced === 1 ? sid : undefined;
}

/** Marks a session as confirmed, which lasts for five minutes. */
export async function confirmSession(sessionDigest: Uint8Array, now: Date, db: Tx = prisma()): Promise<void> {
  await db.$executeRaw`
    UPDATE owner_sessions SET confirmed_at = ${now}::timestamptz
    WHERE id_digest = ${sessionDigest}::bytea AND NOT awaits_factor AND revoked_at IS NULL`;
}

/**
 * Makes a session's write and the end of its account wait for each other: once an account is deleted, disabled or taken over, its
 * earlier sessions write nothing more.
 * @throws ApiError invalid_credential when the session ended meanwhile
 */
export async function requireStillOpen(tx: Tx, { id, sessionDigest }: OwnerActor): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM owners WHERE id = ${id} FOR KEY SHARE`;
  await requireNotRevoked(tx, sessionDigest);
}

/** @throws ApiError invalid_credential */
export async function requireNotRevoked(tx: Tx, sessionDigest: Uint8Array): Promise<void> {
  const where = { idDigest: Uint8Array.from(sessionDigest), revokedAt: null };
  if (await tx.ownerSession.findUnique({ where, select: { id: true } })) return;
  throw new ApiError("invalid_credential", "Your session has ended. Sign in again.");
}

// A session's digest isn't renewed, because its cookie can't be renewed with it and a session lasts only a day. The stored
// digest therefore shows which secret the session depends on.
const bySession = findByDigest(
  "owner.actor",
  {
    id: db.text,
    name: db.text,
    role: db.ownerRole,
    sessionId: db.text,
    sessionDigest: db.bytea,
    confirmedAt: db.nullable(db.timestamp),
    lastUsedAt: db.timestamp,
    awaitsFactor: db.boolean,
    hasSecondFactor: db.boolean,
  },
  (is) =>
    `SELECT o.id, o.name, o.role, s.id AS "sessionId", s.id_digest AS "sessionDigest", s.confirmed_at AS "confirmedAt",
     s.last_used_at AS "lastUsedAt", s.awaits_factor AS "awaitsFactor",
     EXISTS (SELECT FROM owner_passkeys p WHERE p.owner_id = o.id)
       OR EXISTS (SELECT FROM owner_totps t WHERE t.owner_id = o.id AND t.confirmed_at IS NOT NULL) AS "hasSecondFactor"
   FROM owner_sessions s JOIN owners o ON o.id = s.owner_id
   WHERE s.id_digest ${is} AND s.revoked_at IS NULL AND s.expires_at > $2 AND s.last_used_at > $3 AND o.disabled_at IS NULL`,
  undefined,
  ["timestamptz", "timestamptz"],
);

const touch = statement(
  "owner.session_used",
  {},
  "UPDATE owner_sessions SET last_used_at = $2 WHERE id_digest = $1 AND last_used_at < $2",
);

async function find(sid: string): Promise<{ actor: OwnerActor; awaitsFactor: boolean } | undefined> {
  const now = systemClock.now();
  const row = await bySession(digestsOf(sid), now, secondsAfter(now, -IDLE_SECONDS));
  if (!row) return undefined;
  const { lastUsedAt, awaitsFactor, ...owner } = row;
  if (lastUsedAt < secondsAfter(now, -TOUCH_SECONDS)) await touch(owner.sessionDigest, now);
  return { actor: { kind: "owner", ...owner, csrfToken: csrfTokenOf(owner) }, awaitsFactor };
}

/** The owner of a live session; undefined when it is unknown, revoked, expired, idle for too long, or awaits its second factor. */
export async function findBySession(sid: string): Promise<OwnerActor | undefined> {
  const found = await find(sid);
  return found?.awaitsFactor ? undefined : found?.actor;
}

/** The owner of a live session, even one that awaits its second factor. Use it only to end the session. */
export async function findAnySession(sid: string): Promise<OwnerActor | undefined> {
  return (await find(sid))?.actor;
}

/** The same for the session in a cookie header. */
export async function findAnyInCookie(cookie: string | null): Promise<OwnerActor | undefined> {
  const sid = await sessionIn(cookie);
  return sid ? findAnySession(sid) : undefined;
}

/** The owner of a session that awaits its second factor. Use it only for the second step. */
export async function findAwaitingFactor(cookie: string | null): Promise<OwnerActor | undefined> {
  const sid = await sessionIn(cookie);
  const found = sid ? await find(sid) : undefined;
  return found?.awaitsFactor ? found.actor : undefined;
}

/** The owner whose live session this cookie header carries. */
export async function findOwnerActor(cookie: string | null): Promise<OwnerActor | undefined> {
  const sid = await sessionIn(cookie);
  return sid ? findBySession(sid) : undefined;
}

async function sessionIn(cookie: string | null): Promise<string | undefined> {
  const token = readCookie(cookie, sessionCookie().name);
  return token ? readSessionToken(token) : undefined;
}

type Session = Pick<OwnerActor, "sessionDigest">;

/** Each session has its own token: another session's is refused, even the same owner's. */
function csrfTokenOf({ sessionDigest }: Session): string {
  return authenticationCode("csrf token", sessionDigest.toString("base64url")).toString("base64url");
}

/** Whether a CSRF token is this session's, under the current secret or a previous one. */
export function isCsrfTokenOf({ sessionDigest }: Session, token: string): boolean {
  const code = Buffer.from(token, "base64url");
  if (code.toString("base64url") !== token) return false;
  return isAuthenticationCode("csrf token", sessionDigest.toString("base64url"), code);
}
