import { closeLimiters } from "#lib/db/rate-limit.ts";
import { loadEnv } from "#lib/kernel/env.ts";

/** Sets variables of the configuration for what follows, and forgets what the limits have counted; without any, puts it back. */
export async function configure(variables: Record<string, string> = {}): Promise<void> {
  Object.assign(globalThis, { guildhallEnv: loadEnv({ ...process.env, ...variables }) });
  await closeLimiters();
}
