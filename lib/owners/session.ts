import { randomBytes } from "node:crypto";
import { decode, encode } from "next-auth/jwt";
import { prisma } from "#lib/db/client.ts";
import { statement } from "#lib/db/statement.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { digestSecret } from "#lib/kernel/secrets.ts";
import { clip } from "#lib/kernel/text.ts";
import { readCookie, sessionCookie, writeCookie } from "./cookies.ts";

const MAX_USER_AGENT = 300;
const MAX_SESSIONS = 100;
/** How long a session waits for its second factor. */
const FACTOR_SECONDS = 900;

/** What the cookie carries, encrypted: the session's ID and nothing about the person. */
type Payload = { sid: string };

type Opening = {
  ownerId: string;
  userAgent: string | null;
  /** As limits count it. */
  address?: string;
  /** The hash that was verified, where a password was: if it has been changed meanwhile, no session is opened. */
  passwordHash?: string;
  /** The second factor is still to come: until then the session opens nothing else. */
  awaitsFactor?: boolean;
};

/**
 * Opens a session and gives its ID, which is stored as a keyed digest only. Undefined when the account was disabled, or the
 * password changed since it was verified: the lock makes the two wait for each other, so that no session slips past the
 * revocation.
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
  // What is over is of no use to anyone; and no account holds more sessions than its owner could look through.
  await db.$executeRaw`
    DELETE FROM owner_sessions WHERE owner_id = ${ownerId} AND (expires_at < ${now} OR id_digest IN (
      SELECT id_digest FROM owner_sessions WHERE owner_id = ${ownerId}
      ORDER BY revoked_at IS NULL DESC, created_at DESC OFFSET ${MAX_SESSIONS}))`;
  return opened === 1 ? sid : undefined;
}

/** A session that nobody has used for so long is over. */
export const IDLE_SECONDS = 12 * 3600;
const TOUCH_SECONDS = 60;

/**
 * Makes a session that awaited its second factor a full one, under a new ID: whoever saw the cookie of the first step has
 * nothing. Undefined when it is over, or was completed already.
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

/** Notes that the owner has just proved to be there: what asks for that is open to this session for five minutes. */
export async function confirmSession(sessionDigest: Uint8Array, now: Date, db: Tx = prisma()): Promise<void> {
  await db.$executeRaw`
    UPDATE owner_sessions SET confirmed_at = ${now}::timestamptz
    WHERE id_digest = ${sessionDigest}::bytea AND NOT awaits_factor AND revoked_at IS NULL`;
}

type SessionRow = Omit<OwnerActor, "kind" | "csrfToken" | "sessionDigest"> & {
  lastUsedAt: Date;
  awaitsFactor: boolean;
};

const bySession = statement<SessionRow>(
  "owner.actor",
  `SELECT o.id, o.name, o.role, s.id AS "sessionId", s.confirmed_at AS "confirmedAt", s.last_used_at AS "lastUsedAt",
     s.awaits_factor AS "awaitsFactor",
     EXISTS (SELECT FROM owner_passkeys p WHERE p.owner_id = o.id)
       OR EXISTS (SELECT FROM owner_totps t WHERE t.owner_id = o.id AND t.confirmed_at IS NOT NULL) AS "hasSecondFactor"
   FROM owner_sessions s JOIN owners o ON o.id = s.owner_id
   WHERE s.id_digest = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 AND s.last_used_at > $3 AND o.disabled_at IS NULL`,
);

const touch = statement(
  "owner.session_used",
  "UPDATE owner_sessions SET last_used_at = $2 WHERE id_digest = $1 AND last_used_at < $2",
);

async function find(sid: string): Promise<{ actor: OwnerActor; awaitsFactor: boolean } | undefined> {
  const sessionDigest = digestSecret(sid);
  const now = systemClock.now();
  const [row] = await bySession(sessionDigest, now, secondsAfter(now, -IDLE_SECONDS));
  if (!row) return undefined;
  const { lastUsedAt, awaitsFactor, ...owner } = row;
  if (lastUsedAt < secondsAfter(now, -TOUCH_SECONDS)) await touch(sessionDigest, now);
  return { actor: { kind: "owner", ...owner, sessionDigest, csrfToken: csrfTokenOf(sid) }, awaitsFactor };
}

/** The owner of a live session; undefined when it is unknown, revoked, over, idle for too long or still awaits its second factor. */
export async function findBySession(sid: string): Promise<OwnerActor | undefined> {
  const found = await find(sid);
  return found?.awaitsFactor ? undefined : found?.actor;
}

/** The owner of a live session, also of one that awaits its second factor: to end it, and for nothing else. */
export async function findAnySession(sid: string): Promise<OwnerActor | undefined> {
  return (await find(sid))?.actor;
}

/** The same for the session in a cookie header. */
export async function findAnyInCookie(cookie: string | null): Promise<OwnerActor | undefined> {
  const sid = await sessionIn(cookie);
  return sid ? findAnySession(sid) : undefined;
}

/** The owner of a session that awaits its second factor, which is all that it may be used for. */
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

/** What names the session that this cookie header carries, live or not: undefined for what we never wrote. */
export async function digestOfSession(cookie: string | null): Promise<Buffer | undefined> {
  const sid = await sessionIn(cookie);
  return sid ? digestSecret(sid) : undefined;
}

async function sessionIn(cookie: string | null): Promise<string | undefined> {
  const token = readCookie(cookie, sessionCookie().name);
  return token ? readSessionToken(token) : undefined;
}

/** The cookie's value for a session. */
export function writeSessionToken(sid: string): Promise<string> {
  const payload: Payload = { sid };
  return encode({ token: payload, secret: secret(), maxAge: env().sessionTtlSeconds });
}

/** The `Set-Cookie` value that hands a session to the browser, where next-auth does not do it itself. */
export async function sessionSetCookie(sid: string): Promise<string> {
  return writeCookie(sessionCookie(), await writeSessionToken(sid), env().sessionTtlSeconds);
}

/** The session that a cookie's value names; undefined for what we never wrote, or what is over. */
export async function readSessionToken(token: string): Promise<string | undefined> {
  const payload = await decode({ token, secret: secret() }).catch(() => null);
  return typeof payload?.sid === "string" ? payload.sid : undefined;
}

/** Bound to one session: another session's token, also of the same owner, is refused. */
function csrfTokenOf(sid: string): string {
  return digestSecret(`csrf ${sid}`).toString("base64url");
}

function secret(): string {
  const { authSecret } = env();
  if (!authSecret) throw new Error("AUTH_SECRET is not set");
  return authSecret;
}
