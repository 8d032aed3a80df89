import type { z } from "zod";
import { iso } from "#lib/kernel/clock.ts";
import type { ProfileContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { findProfile, showProfile } from "../profiles.ts";
import { communitySteps } from "../readiness.ts";
import type { MeAnswer } from "../schema.ts";

/** The caller's own profile, its key and its next steps; also for a proposed or suspended profile. */
export async function readMe(ctx: ProfileContext): Promise<z.output<typeof MeAnswer>> {
  const row = await findProfile(ctx.actor.id);
  if (!row) throw notFound();
  const now = ctx.clock.now();
  return {
    view: "me",
    profile: await showProfile(row, now),
    key: { created_at: iso(row.keyCreatedAt), last_used_at: iso(row.keyUsedAt), hint: row.keyHint },
    readiness: communitySteps(row, now),
  };
}
