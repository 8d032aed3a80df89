import { z } from "zod";
import { recheckDomain as recheck } from "#lib/identity/verify-domain.ts";
import type { Context } from "#lib/kernel/context.ts";
import { PublicId } from "#lib/kernel/fields.ts";

const Payload = z.object({ public_id: PublicId });

/** The check that a proved domain goes through again and again; each one plans the next (see identity/schedule.ts). */
export async function recheckDomain(ctx: Context, payload: unknown): Promise<void> {
  await recheck(ctx, Payload.parse(payload).public_id);
}
