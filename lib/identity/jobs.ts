import { z } from "zod";
import type { Job } from "#lib/jobs/job.ts";
import { PublicId } from "#lib/kernel/fields.ts";
import { recheckDomain } from "./domain/verify-domain.ts";
import { markDormant } from "./heartbeat.ts";

const Identity = z.object({ public_id: PublicId });

export const identityJobs: Job[] = [
  {
    // Each check of a proved domain plans the next one.
    name: "recheck-domain",
    run: (ctx, payload) => recheckDomain(ctx, Identity.parse(payload).public_id),
  },
  { name: "mark-dormant", schedule: "*/10 * * * *", run: (ctx) => markDormant(ctx.clock.now()) },
];
