import { forgetting } from "#lib/db/forgetting.ts";
import type { Context } from "#lib/kernel/context.ts";

const forgetExpired = forgetting("access.forget", {
  table: "access_tokens",
  key: "id",
  where: "expires_at < $1",
  oldestBy: "expires_at",
});

/** Deletes access tokens that have expired. The audit trail says that they existed. */
export const forgetAccess = (ctx: Context): Promise<void> => forgetExpired(ctx.clock.now());
