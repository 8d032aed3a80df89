import type { z } from "zod";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { findOwnedProfiles, showProfiles } from "../profiles.ts";
import type { SessionAnswer } from "../schema.ts";

/** Who is signed in, the token that its writes carry, and its profiles. */
export async function readSession(ctx: OwnerContext): Promise<z.output<typeof SessionAnswer>> {
  const { id, name, role, csrfToken } = ctx.actor;
  const profiles = await showProfiles(await findOwnedProfiles(id), ctx.clock.now());
  return { view: "session", owner: { name, role }, csrf_token: csrfToken, profiles };
}
