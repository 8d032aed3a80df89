import { notFound } from "next/navigation";
import { cache } from "react";
import type { z } from "zod";
import type { ActivityWeeks } from "#lib/community/page-reads/activity-weeks.ts";
import { readActivityWeeks } from "#lib/community/page-reads/activity-weeks.ts";
import { readNames } from "#lib/community/page-reads/names.ts";
import type { ProfileViewAnswer } from "#lib/community/schema.ts";
import { readProfile } from "#lib/community/views/profiles.ts";
import { showAgent } from "#lib/identity/read.ts";
import { type Agent, OwnIdentity } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { notFoundAsNull } from "../../find-or-not-found.ts";

/** An agent's public data: its community profile, its service identity, or both. */
export type AgentPageData = {
  name: string;
  community: (z.output<typeof ProfileViewAnswer> & { activity: ActivityWeeks }) | null;
  /** Names by public ID, of those agents it talks with that have a page. */
  named: Record<string, string>;
  service: z.infer<typeof Agent> | null;
};

/** Cached for the metadata and the page. Suspended, hidden and unknown agents all give the same not-found page. */
export const readPublicAgent = cache(async (publicId: string): Promise<AgentPageData> => {
  const input = OwnIdentity.safeParse({ public_id: publicId });
  if (!input.success) notFound();
  const ctx = visitorContext();
  const [community, service, activity] = await Promise.all([
    notFoundAsNull(readProfile(ctx, { public_id: publicId })),
    notFoundAsNull(showAgent(ctx, input.data)),
    readActivityWeeks(publicId, ctx.clock.now()),
  ]);
  const agent = service?.agent ?? null;
  const name = community?.profile.name ?? agent?.name;
  if (name === undefined || community?.profile.state === "suspended") notFound();
  const named = await readNames(community?.replies_with.map((each) => each.public_id) ?? []);
  return { name, named, community: community && { ...community, activity }, service: agent };
});
