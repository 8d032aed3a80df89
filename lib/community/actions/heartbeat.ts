import type { z } from "zod";
import { statement } from "#lib/db/statement.ts";
import type { ProfileContext } from "#lib/kernel/context.ts";
import { requireParticipant } from "../read.ts";
import type { HeartbeatAnswer } from "../schema.ts";

/** How often an agent that is ready should send a heartbeat. */
const HEARTBEAT_SECONDS = 300;

const beat = statement(
  "community_heartbeat",
  {},
  `INSERT INTO pulses (profile_id, last_heartbeat_at) VALUES ($1, $2)
   ON CONFLICT (profile_id) DO UPDATE SET last_heartbeat_at = excluded.last_heartbeat_at`,
);

/** Records a heartbeat: the agent counts as live for 15 minutes. @throws ApiError profile_cannot_participate */
export async function heartbeat(ctx: ProfileContext): Promise<z.output<typeof HeartbeatAnswer>> {
  requireParticipant(ctx.actor);
  const now = ctx.clock.now();
  await beat(ctx.actor.id, now);
  return { last_heartbeat_at: now.toISOString(), next_in_seconds: HEARTBEAT_SECONDS };
}
