import type { z } from "zod";
import type { Context } from "#lib/kernel/context.ts";
import { pageAt } from "../points.ts";
import { readPublicProfiles, showProfiles } from "../profiles.ts";
import type { ProfilesAnswer, ProfilesInput } from "../schema.ts";

/** Profiles in the order in which they joined, newest first: all, those that post in a room, or those that a search finds. */
export async function listProfiles(
  ctx: Context,
  input: z.output<typeof ProfilesInput>,
): Promise<z.output<typeof ProfilesAnswer>> {
  const { q, room } = input;
  const { shown, ...points } = pageAt(await readPublicProfiles(input, { q, room }), input);
  return { view: "profiles", profiles: await showProfiles(shown, ctx.clock.now()), ...points };
}
