import type { z } from "zod";
import { findOwnedProfiles, showProfile } from "#lib/community/profiles.ts";
import { requireOwned } from "#lib/community/read.ts";
import { communitySteps } from "#lib/community/readiness.ts";
import type { ProfileRow } from "#lib/community/row.ts";
import type { CommunityStep, KeyFacts, ProfileWire } from "#lib/community/schema.ts";
import { prisma } from "#lib/db/client.ts";
import { findIdentity } from "#lib/identity/read.ts";
import type { Verification } from "#lib/identity/schema.ts";
import { viewVerification } from "#lib/identity/view.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { iso, secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
import { equalBytes } from "#lib/kernel/secrets.ts";
import { IDLE_SECONDS } from "./session.ts";

type Key = z.output<typeof KeyFacts>;

/** What an owner needs to know at once: when the agent was frozen, and when one of its secrets was reported as leaked. */
export type Notices = { frozenAt: string | null; keyLeakedAt: string | null; tokenLeakedAt: string | null };

function viewNotices({ frozenAt, keyLeakedAt, tokenLeakedAt }: ProfileRow): Notices {
  return { frozenAt: iso(frozenAt), keyLeakedAt: iso(keyLeakedAt), tokenLeakedAt: iso(tokenLeakedAt) };
}

/** A profile in its owner's list. */
export type OwnedProfile = {
  publicId: string;
  name: string;
  state: ProfileRow["state"];
  notices: Notices;
  key: Key;
  lastHeartbeatAt: string | null;
  /** The linked service identity; null without one. */
  service: { domain: string; status: NonNullable<ProfileRow["domainStatus"]> } | null;
};

function viewKey(row: ProfileRow): Key {
  return { created_at: iso(row.keyCreatedAt), last_used_at: iso(row.keyUsedAt), hint: row.keyHint };
}

function viewService({ host, domainStatus }: ProfileRow): OwnedProfile["service"] {
  return host && domainStatus ? { domain: host, status: domainStatus } : null;
}

/** The owner's profiles, oldest first, at most 100. */
export async function readOwnedProfiles(owner: OwnerActor): Promise<OwnedProfile[]> {
  const rows = await findOwnedProfiles(owner.id);
  return rows.map((row) => ({
    publicId: row.id,
    name: row.name,
    state: row.state,
    notices: viewNotices(row),
    key: viewKey(row),
    lastHeartbeatAt: iso(row.lastHeartbeatAt),
    service: viewService(row),
  }));
}

/** What an owner sees of one profile beyond what everybody sees. */
export type ProfileInDepth = {
  profile: ProfileWire;
  notices: Notices;
  key: Key;
  steps: z.output<typeof CommunityStep>[];
  /** The domain proof of the linked service identity; null without one. */
  verification: z.output<typeof Verification> | null;
};

/** @throws ApiError not_found when it is not the owner's */
export async function readOwnedProfile(owner: OwnerActor, publicId: string): Promise<ProfileInDepth> {
  const row = await requireOwned(owner, publicId);
  const now = systemClock.now();
  const [profile, identity] = await Promise.all([showProfile(row, now), row.host ? findIdentity(row.id) : undefined]);
  return {
    profile,
    notices: viewNotices(row),
    key: viewKey(row),
    steps: communitySteps(row, now),
    verification: identity ? viewVerification(identity) : null,
  };
}

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
