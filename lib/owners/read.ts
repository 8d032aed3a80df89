import { prisma } from "#lib/db/client.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { iso, secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
import { equalBytes } from "#lib/kernel/secrets.ts";
import { IDLE_SECONDS } from "./sessions/session.ts";

export type SessionFacts = {
  sessionId: string;
  openedAt: string;
  lastUsedAt: string;
  endsAt: string;
  device: string;
  address: string | null;
  isThis: boolean;
};

/** The owner's live sessions, newest first. */
export async function readSessions(owner: OwnerActor): Promise<SessionFacts[]> {
  const now = systemClock.now();
  const rows = await prisma().ownerSession.findMany({
    where: {
      ownerId: owner.id,
      revokedAt: null,
      awaitsFactor: false,
      expiresAt: { gt: now },
      lastUsedAt: { gt: secondsAfter(now, -IDLE_SECONDS) },
    },
    orderBy: { createdAt: "desc" },
    take: 100,
  });
  return rows.map(({ idDigest, id, createdAt, lastUsedAt, expiresAt, userAgent, address }) => ({
    sessionId: id,
    openedAt: iso(createdAt),
    lastUsedAt: iso(lastUsedAt),
    endsAt: iso(expiresAt),
    device: deviceWords(userAgent),
    address,
    isThis: equalBytes(idDigest, owner.sessionDigest),
  }));
}

/** How the owner signs in. */
export async function readAccount(owner: OwnerActor): Promise<{ email: string; hasPassword: boolean }> {
  const { email, passwordHash } = await prisma().owner.findUniqueOrThrow({
    where: { id: owner.id },
    select: { email: true, passwordHash: true },
  });
  return { email, hasPassword: passwordHash !== null };
}
