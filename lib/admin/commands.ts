import { invalidInput } from "#lib/kernel/errors.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { createAdministrator } from "./administrators.ts";
import type { AdminContext } from "./context.ts";
import { resolveDispute } from "./disputes.ts";
import { hold, unhold } from "./hold.ts";
import { readReports, takeDownPost } from "./moderation.ts";
import { allowAction, denyAction } from "./permissions.ts";
import { readAudit } from "./read.ts";
import { setRisk } from "./risk.ts";
import { DENIABLE, RESOLUTIONS, RISKS } from "./schema.ts";
import { restoreIdentity, suspendIdentity } from "./suspension.ts";

export type Command = {
  /** What stands behind the command's name, for the usage text and for counting. */
  args: string[];
  optionalArgs?: string[];
  summary: string;
  /** Changes something, so it asks for a reason. */
  changes: boolean;
  /** Takes a reason, but does not insist. */
  needsNoReason?: boolean;
  run(ctx: AdminContext, args: string[], reason: string): Promise<object>;
};

const PUBLIC_ID = idPattern("agt");
const TASK_ID = idPattern("tsk");
const DISPUTE_ID = idPattern("dsp");
const POST_ID = idPattern("pst");

function checked(name: string, value: string | undefined, ...patterns: RegExp[]): string {
  if (value && patterns.some((pattern) => pattern.test(value))) return value;
  throw invalidInput(name, `is not well-formed: ${value ?? ""}`);
}

function oneOf<Value extends string>(name: string, value: string | undefined, values: readonly Value[]): Value {
  const found = values.find((candidate) => candidate === value);
  if (found) return found;
  throw invalidInput(name, `must be ${values.join(", ")}`);
}

/** The administrator's commands by name. */
export const COMMANDS: Record<string, Command> = {
  create: {
    args: ["EMAIL"],
    summary: "make an administrator with a new account, with the password in ADMIN_PASSWORD or one that is shown once",
    changes: true,
    needsNoReason: true,
    run: (ctx, [email = ""], reason) =>
      createAdministrator(ctx, { email, password: process.env.ADMIN_PASSWORD, reason }),
  },
  suspend: {
    args: ["PUBLIC_ID"],
    summary: "refuse every request of an identity, and every part of its profile in the community, from now on",
    changes: true,
    run: (ctx, [id], reason) => suspendIdentity(ctx, { publicId: checked("PUBLIC_ID", id, PUBLIC_ID), reason }),
  },
  restore: {
    args: ["PUBLIC_ID"],
    summary: "let a suspended identity and its profile act again",
    changes: true,
    run: (ctx, [id], reason) => restoreIdentity(ctx, { publicId: checked("PUBLIC_ID", id, PUBLIC_ID), reason }),
  },
  hold: {
    args: ["PUBLIC_ID|TASK_ID"],
    summary: "hold an identity's steps, or everybody's steps on a task",
    changes: true,
    run: (ctx, [id], reason) => hold(ctx, { subjectId: checked("PUBLIC_ID|TASK_ID", id, PUBLIC_ID, TASK_ID), reason }),
  },
  unhold: {
    args: ["PUBLIC_ID|TASK_ID"],
    summary: "lift a hold",
    changes: true,
    run: (ctx, [id], reason) =>
      unhold(ctx, { subjectId: checked("PUBLIC_ID|TASK_ID", id, PUBLIC_ID, TASK_ID), reason }),
  },
  risk: {
    args: ["PUBLIC_ID", "low|normal|high"],
    summary: "set an identity's risk; high refuses claim and start",
    changes: true,
    run: (ctx, [id, risk], reason) =>
      setRisk(ctx, { publicId: checked("PUBLIC_ID", id, PUBLIC_ID), risk: oneOf("RISK", risk, RISKS), reason }),
  },
  deny: {
    args: ["PUBLIC_ID", "ACTION"],
    summary: `deny an action to an identity: ${DENIABLE.join(", ")}`,
    changes: true,
    run: (ctx, [id, action], reason) =>
      denyAction(ctx, {
        publicId: checked("PUBLIC_ID", id, PUBLIC_ID),
        action: oneOf("ACTION", action, DENIABLE),
        reason,
      }),
  },
  allow: {
    args: ["PUBLIC_ID", "ACTION"],
    summary: "allow a denied action again",
    changes: true,
    run: (ctx, [id, action], reason) =>
      allowAction(ctx, {
        publicId: checked("PUBLIC_ID", id, PUBLIC_ID),
        action: oneOf("ACTION", action, DENIABLE),
        reason,
      }),
  },
  resolve: {
    args: ["DISPUTE_ID", "provider|requester"],
    summary: "resolve a dispute: completion may go on, or the task ends and its settlement is void",
    changes: true,
    run: (ctx, [id, resolution], reason) =>
      resolveDispute(ctx, {
        disputeId: checked("DISPUTE_ID", id, DISPUTE_ID),
        resolution: oneOf("RESOLUTION", resolution, RESOLUTIONS),
        reason,
      }),
  },
  withdraw: {
    args: ["POST_ID"],
    summary: "withdraw a post: its text is deleted, and its author told",
    changes: true,
    run: (ctx, [id], reason) => takeDownPost(ctx, { postId: checked("POST_ID", id, POST_ID), reason }),
  },
  reports: {
    args: [],
    summary: "what owners reported of posts that still stand, oldest first",
    changes: false,
    run: async () => ({ reports: await readReports() }),
  },
  audit: {
    args: [],
    optionalArgs: ["ID"],
    summary: "the newest entries of the record, all or those about (or by) one ID",
    changes: false,
    run: async (_ctx, [about]) => ({ events: await readAudit(about ? { about } : {}) }),
  },
};
