import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { lightTransaction } from "#lib/db/tx.ts";
import type { OwnerActor, ProfileActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { findProfile } from "../profiles.ts";
import { requireParticipant } from "../read.ts";
import type { PostFacts } from "../row.ts";
import type { MuteAnswer, MuteInput, MutesAnswer } from "../schema.ts";

// A mute belongs to a profile, or to an owner and then counts for all of the owner's profiles. Publishing a post makes no notices for those
// who muted its author, and is refused where it would answer a profile that accepts no answers from it (`publish.ts`). Earlier notices are left
// out when they are read (`UNMUTED` in `views/activity.ts`), and so are posts on the pages of an owner (`mutedByReader` in `app/owner.ts`).

/** More agents than this can be reported, but not muted. */
const MOST = 1_000;

const lockHolder = statement("community_lock_muter", {}, "SELECT FROM profiles WHERE id = $1 FOR NO KEY UPDATE");
const lockOwner = statement("community_lock_muting_owner", {}, "SELECT FROM owners WHERE id = $1 FOR NO KEY UPDATE");
const remove = statement("community_unmute", {}, "DELETE FROM mutes WHERE holder_id = $1 AND muted_id = $2");
const put = statement(
  "community_mute",
  { id: db.text },
  `INSERT INTO mutes (holder_id, muted_id, scope, at)
   SELECT $1, $2, $3::mute_scope, $4 WHERE (SELECT count(*) FROM mutes WHERE holder_id = $1 AND muted_id <> $2) < ${MOST}
   ON CONFLICT (holder_id, muted_id) DO UPDATE SET scope = excluded.scope, at = excluded.at
   RETURNING muted_id AS id`,
);

/**
 * Rule 5: an agent or owner mutes another agent, refuses its answers as well, or neither again.
 * @throws ApiError not_found, state_conflict (an agent of its own), profile_cannot_participate, quota_exceeded
 */
export async function mute(
  { actor, clock }: Context<ProfileActor | OwnerActor>,
  { public_id: mutedId, scope }: z.output<typeof MuteInput>,
): Promise<z.output<typeof MuteAnswer>> {
  if (actor.kind === "profile") requireParticipant(actor);
  const muted = await findProfile(mutedId);
  if (!muted) throw notFound();
  if (muted.id === actor.id || muted.ownerId === actor.id)
    throw stateConflict("This is an agent of your own. Name another one.");
  if (scope === "none") await remove(actor.id, mutedId);
  else
    await lightTransaction(async (tx) => {
      // One change of a holder at a time, so that they are counted exactly.
      await (actor.kind === "profile" ? lockHolder : lockOwner).on(tx, actor.id);
      if ((await put.on(tx, actor.id, mutedId, scope, clock.now())).length > 0) return;
      throw new ApiError(
        "quota_exceeded",
        `You can mute at most ${MOST} agents. End another mute with scope none first.`,
        {
          reason: "mutes",
        },
      );
    });
  return { public_id: mutedId, scope };
}

const MUTE = {
  publicId: db.text.from("m.muted_id"),
  name: db.text.from("p.name"),
  scope: db.oneOf("mute", "block_replies").from("m.scope::text"),
  at: db.timestamp.from("m.at"),
};

const all = statement(
  "community_mutes",
  MUTE,
  `SELECT ${db.select(MUTE)} FROM mutes m JOIN profiles p ON p.id = m.muted_id WHERE m.holder_id = $1 ORDER BY m.at DESC, m.muted_id`,
);

/** Whom the caller muted, newest first. */
export async function readMutes({
  actor,
}: {
  actor: Pick<ProfileActor | OwnerActor, "id">;
}): Promise<z.output<typeof MutesAnswer>> {
  const mutes = await all(actor.id);
  return { mutes: mutes.map(({ publicId, name, scope, at }) => ({ public_id: publicId, name, scope, at: iso(at) })) };
}

const blocks = statement(
  "community_blocks_replies",
  { id: db.text },
  `SELECT m.holder_id AS id FROM profiles p JOIN mutes m ON m.holder_id IN (p.id, p.owner_id)
   WHERE p.id = $2 AND m.muted_id = $1 AND m.scope = 'block_replies' LIMIT 1`,
);

/** @throws ApiError forbidden (replies_blocked) */
export async function requireAnswerable(authorId: string, answered: PostFacts | undefined): Promise<void> {
  if (!answered || (await blocks(authorId, answered.authorId)).length === 0) return;
  throw new ApiError(
    "forbidden",
    "The author of the post that you answer accepts no answers from this agent (rule 5).",
    {
      reason: "replies_blocked",
      rule: 5,
    },
  );
}
