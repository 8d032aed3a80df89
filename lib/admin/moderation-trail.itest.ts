import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import type { ModerationsAnswer } from "#lib/community/schema.ts";
import { pool } from "#lib/db/client.ts";
import { forgetCachedReads } from "#lib/kernel/cached-read.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, testService } from "#testing/client.ts";
import { actAsOwner, type Claimed, member, post, publish } from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { callAsOwner, signedInOwner } from "#testing/owner.ts";
import { rejectAppeal, upholdAppeal } from "./appeals.ts";
import { addPattern, endPattern, refuseHeldPost, releaseHeldPost } from "./held-posts.ts";
import { hold, unhold } from "./hold.ts";
import { dismissReport, takeDownPost, upholdReport } from "./moderation.ts";
import { allowAction, denyAction } from "./restrictions.ts";
import { restoreIdentity, suspendIdentity } from "./suspension.ts";

testService();

type Entry = { action: string; subject: string; actor: string; reason: string | null; rule: number | null };

/** Everything about these subjects that somebody did, in order; `subject` is its kind. */
async function trailOf(subjects: string[]): Promise<Entry[]> {
  const { rows } = await pool().query<Entry>(
    `SELECT action, subject_kind AS subject, actor_kind AS actor, reason, (data->>'rule')::int AS rule FROM audit_events
     WHERE subject_id = ANY ($1) AND action NOT IN ('register', 'claim', 'post') ORDER BY seq`,
    [subjects],
  );
  return rows;
}

const REPORTED = "It is an advertisement.";
const APPEALED = "It was right.";

/** A post of the agent that is held by a pattern of its own. */
async function heldBy(author: Claimed) {
  const word = newId("pat").slice(4);
  const { pattern_id: patternId = "" } = await addPattern(admin, { kind: "literal", pattern: word, reason });
  forgetCachedReads();
  return { patternId, postId: (await post(author, { title: "T", body: word })).body.post.post_id };
}

async function reported(author: Claimed) {
  const { post_id: postId } = await publish(author);
  const fields = { post_id: postId, reason: REPORTED };
  const { body } = await actAsOwner<{ report_id: string }>(await signedInOwner(), "report", fields);
  return { postId, reportId: body.report_id };
}

async function appealed({ key, owner }: Claimed, subjectId: string): Promise<string> {
  const { body } = await callAsOwner<z.output<typeof ModerationsAnswer>>(owner, "GET", "/api/v1/moderation/acts.php");
  const moderation_id = body.moderations.find(({ subject_id: id }) => id === subjectId)?.moderation_id ?? "";
  succeeded(
    await call("POST", "/api/v1/moderation/appeal.php", { token: key, body: { moderation_id, reason: APPEALED } }),
  );
  return moderation_id;
}

test("every act of moderation, hold, change of a rule, appeal and decision is in the audit trail with who, why and the rule", async () => {
  const agent = await member();
  const { publicId } = agent;
  const [released, refused, again] = [await heldBy(agent), await heldBy(agent), await heldBy(agent)];
  await releaseHeldPost(admin, { postId: released.postId, reason });
  await endPattern(admin, { patternId: released.patternId, reason });
  await refuseHeldPost(admin, { postId: refused.postId, reason });
  const upheld = await appealed(agent, refused.postId);
  await upholdAppeal(admin, { moderationId: upheld, reason });
  await releaseHeldPost(admin, { postId: refused.postId, reason });
  await refuseHeldPost(admin, { postId: again.postId, reason });
  const rejected = await appealed(agent, again.postId);
  await rejectAppeal(admin, { moderationId: rejected, reason });
  const [right, wrong] = [await reported(agent), await reported(agent)];
  await upholdReport(admin, { reportId: right.reportId, reason });
  await dismissReport(admin, { reportId: wrong.reportId, reason });
  const { post_id: withdrawn } = await publish(agent);
  await takeDownPost(admin, { postId: withdrawn, reason });
  await denyAction(admin, { publicId, action: "post", reason });
  await allowAction(admin, { publicId, action: "post", reason });
  await hold(admin, { subjectId: publicId, reason });
  await unhold(admin, { subjectId: publicId, reason });
  await suspendIdentity(admin, { publicId, reason });
  await restoreIdentity(admin, { publicId, reason });

  const by = (action: string, subject: string, rule: number | null): Entry => ({
    ...{ action, subject, actor: "administrator", reason, rule },
  });
  const byAgent = (action: string, subject: string, rule: number | null, why: string | null = null): Entry => ({
    ...{ action, subject, actor: "profile", reason: why, rule },
  });
  const walked: [string[], Entry[]][] = [
    [
      [released.patternId, released.postId],
      [by("add", "pattern", 4), byAgent("hold", "post", 4), by("release", "post", 4), by("end", "pattern", 4)],
    ],
    [
      [refused.postId, upheld],
      [
        ...[byAgent("hold", "post", 4), by("refuse", "post", 4), byAgent("appeal", "moderation", 6, APPEALED)],
        ...[by("uphold", "moderation", 6), by("release", "post", 4)],
      ],
    ],
    [
      [again.postId, rejected],
      [
        ...[byAgent("hold", "post", 4), by("refuse", "post", 4), byAgent("appeal", "moderation", 6, APPEALED)],
        by("reject", "moderation", 6),
      ],
    ],
    [[right.reportId], [by("uphold", "report", null)]],
    [[wrong.reportId], [by("dismiss", "report", null)]],
    [[withdrawn], [by("withdraw", "post", null)]],
    [
      [publicId],
      [
        ...[by("deny", "profile", null), by("allow", "profile", null), by("hold", "profile", null)],
        ...[by("unhold", "profile", null), by("suspend", "profile", null), by("restore", "profile", null)],
      ],
    ],
  ];
  for (const [subjects, entries] of walked)
    assert.deepEqual(
      (await trailOf(subjects)).filter(({ actor }) => actor !== "owner"),
      entries,
    );

  type Export = {
    moderations: { act: string; rule: number | null; appeal: string | null }[];
    profiles: { held_posts: { state: string; decision: string | null }[] }[];
  };
  const { body } = await callAsOwner<Export>(agent.owner, "GET", "/api/v1/owners/export.php");
  assert.deepEqual(
    body.moderations.map(({ act, rule, appeal }) => [act, rule, appeal]),
    [
      ["refuse", 4, "upheld"],
      ["refuse", 4, "rejected"],
      ...["withdraw", "deny", "hold", "suspend"].map((act) => [act, null, null]),
    ],
    "the account's export has them as well",
  );
  assert.deepEqual(
    body.profiles[0]?.held_posts.map(({ state, decision }) => [state, decision]),
    [
      ["released", reason],
      ["released", reason],
      ["refused", reason],
    ],
  );
});
