import type { AdminContext } from "#lib/admin/context.ts";
import { isOwn } from "#lib/admin/own-subject.ts";
import { prisma } from "#lib/db/client.ts";

/** Whether the administrator may not decide about this, because it is their own or they reported it. */
export function isOwnSubject(ctx: AdminContext, subjectId: string): Promise<boolean> {
  return isOwn(prisma(), ctx, subjectId);
}
