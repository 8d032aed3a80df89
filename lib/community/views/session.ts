import type { z } from "zod";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { findOwnedProfiles, showProfiles } from "../profiles.ts";
import type { SessionAnswer } from "../schema.ts";

/** The owner who is signed in, the session's CSRF token, and the owner's profiles. */
export async function readSession(ctx: OwnerContext): Promise<z.output<typeof SessionAnswer>> {
  const { id, name, role, csrfToken } = ctx.actor;
  const profiles = await showProfiles(await findOwnedProfiles(id), ctx.clock.now());
  return { view: "session", owner: { name, role }, csrf_token: csrfToken, profiles };
}
