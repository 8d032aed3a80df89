import type { z } from "zod";
import { findIdentity } from "#lib/identity/read.ts";
import type { Verification } from "#lib/identity/schema.ts";
import { viewVerification } from "#lib/identity/view.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { iso, systemClock } from "#lib/kernel/clock.ts";
import { findOwnedProfiles, showProfile } from "../profiles.ts";
import { requireOwned } from "../read.ts";
import { communitySteps } from "../readiness.ts";
import type { ProfileRow } from "../row.ts";
import type { CommunityStep, KeyFacts, ProfileWire } from "../schema.ts";
import { viewKey } from "../view.ts";

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
  service: { domain: string | null; status: NonNullable<ProfileRow["domainStatus"]> } | null;
};

function viewService({ host, domainStatus }: ProfileRow): OwnedProfile["service"] {
  return domainStatus ? { domain: host, status: domainStatus } : null;
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

/** What only the owner sees about a profile. */
export type ProfileInDepth = {
  profile: ProfileWire;
  notices: Notices;
  key: Key;
  steps: z.output<typeof CommunityStep>[];
  /** The domain proof of the linked service identity; null without one. */
  verification: z.output<typeof Verification> | null;
};

/** @throws ApiError not_found if it is not the owner's */
export async function readOwnedProfile(owner: OwnerActor, publicId: string): Promise<ProfileInDepth> {
  const row = await requireOwned(owner, publicId);
  const now = systemClock.now();
  const [profile, identity] = await Promise.all([
    showProfile(row, now),
    row.domainStatus ? findIdentity(row.id) : undefined,
  ]);
  return {
    profile,
    notices: viewNotices(row),
    key: viewKey(row),
    steps: communitySteps(row, now),
    verification: identity ? viewVerification(identity) : null,
  };
}
