import { randomBytes } from "node:crypto";
import { decode, encode } from "next-auth/jwt";
import { prisma } from "#lib/db/client.ts";
import { statement } from "#lib/db/statement.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { digestSecret } from "#lib/kernel/secrets.ts";
import { clip } from "#lib/kernel/text.ts";
import { sessionCookie } from "./cookies.ts";

const MAX_USER_AGENT = 300;

/** What the cookie carries, encrypted: the session's ID and nothing about the person. */
type Payload = { sid: string };

type Opening = {
  ownerId: string;
  userAgent: string | null;
  /** The hash that was verified, where a password was: if it has been changed meanwhile, no session is opened. */
  passwordHash?: string;
};

/**
 * Opens a session and gives its ID, which is stored as a keyed digest only. Undefined when the password was changed since
 * it was verified: the lock makes the two wait for each other, so that no session slips past the revocation.
 */
export async function openSession({ ownerId, userAgent, passwordHash }: Opening): Promise<string | undefined> {
  const sid = randomBytes(32).toString("base64url");
  const now = systemClock.now();
  const proof = passwordHash ?? null;
  const opened = await prisma().$executeRaw`
    INSERT INTO owner_sessions (id_digest, owner_id, created_at, expires_at, user_agent)
    SELECT ${digestSecret(sid)}::bytea, id, ${now}::timestamptz,
      ${secondsAfter(now, env().sessionTtlSeconds)}::timestamptz, ${userAgent && clip(userAgent, MAX_USER_AGENT)}
    FROM owners WHERE id = ${ownerId} AND (${proof}::text IS NULL OR password_hash = ${proof}) FOR SHARE`;
  // What is over is of no use to anyone.
  await prisma().ownerSession.deleteMany({ where: { ownerId, expiresAt: { lt: now } } });
  return opened === 1 ? sid : undefined;
}

const live = statement<Omit<OwnerActor, "kind" | "csrfToken" | "sessionDigest">>(
  "owner.actor",
  `SELECT o.id, o.name, o.role FROM owner_sessions s JOIN owners o ON o.id = s.owner_id
   WHERE s.id_digest = $1 AND s.revoked_at IS NULL AND s.expires_at > $2`,
);

/** The owner of a live session; undefined when it is unknown, revoked or over. */
export async function findBySession(sid: string): Promise<OwnerActor | undefined> {
  const sessionDigest = digestSecret(sid);
  const [row] = await live(sessionDigest, systemClock.now());
  return row && { kind: "owner", ...row, sessionDigest, csrfToken: csrfTokenOf(sid) };
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

function readCookie(header: string | null, name: string): string | undefined {
  for (const part of header?.split(";") ?? []) {
    const [key, ...value] = part.split("=");
    if (key?.trim() === name) return value.join("=").trim();
  }
  return undefined;
}
