import { MAX_QUOTA } from "#lib/identity/quotas.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { wholeTaskEvidence } from "#lib/record/evidence/read.ts";
import { readWitnessKey } from "#lib/record/witness/witness.ts";
import {
  demoteAdministrator,
  disableOwner,
  enableOwner,
  endSessions,
  promoteOwner,
  resetPassword,
} from "./accounts.ts";
import { createAdministrator, listAdministrators } from "./administrators.ts";
import { cancelTransfer } from "./cancel-transfer.ts";
import { checkDomain } from "./check-domain.ts";
import {
  actIdOf,
  amountOf,
  checked,
  DISPUTE_ID,
  EMAIL,
  type Given,
  OWNER_ID,
  oneOf,
  POST_ID,
  PUBLIC_ID,
  quotaLimit,
  REPORT_ID,
  SETTLEMENT_ID,
  subjectOf,
  TASK_ID,
} from "./command-arguments.ts";
import { completeFor } from "./complete.ts";
import type { AdminContext } from "./context.ts";
import { resolveDispute } from "./disputes.ts";
import { hold, unhold } from "./hold.ts";
import { readKeys, rotateSecret } from "./keys.ts";
import { printDisputes, printIdentities } from "./lists.ts";
import { beginAnotherLog, newLogKey, readLogKey } from "./log.ts";
import { dismissReport, readReports, takeDownPost, upholdReport } from "./moderation.ts";
import { refund, reverseTransfer, sendTransfer } from "./money/move.ts";
import { readAudit } from "./pages/audit.ts";
import { reissueToken } from "./reissue.ts";
import { allowAction, denyAction, setQuota, setRisk } from "./restrictions.ts";
import { DENIABLE, QUOTA_NAMES, RESOLUTIONS, RISKS } from "./schema.ts";
import { restoreIdentity, suspendIdentity } from "./suspension.ts";

export type Command = {
  /** The names of the required arguments, for the usage text and to check their number. */
  args: string[];
  optionalArgs?: string[];
  summary: string;
  /** Changes something, so it needs a reason. */
  changes: boolean;
  /** The reason is optional. */
  needsNoReason?: boolean;
  /** Options without a value, as in `--complete`, and with one, as in `--pence N`. */
  flags?: string[];
  options?: Record<string, string>;
  /** `--preview` prints what it would do, and changes nothing; it needs no reason. */
  preview?: boolean;
  /** Answers without a database where these options need none; undefined otherwise. */
  withoutDatabase?(given: Given): object | undefined;
  run(ctx: AdminContext, args: string[], reason: string, given?: Given): Promise<object>;
};

/** A command that changes one account. */
function accountCommand(
  args: string,
  summary: string,
  run: (ctx: AdminContext, input: { owner: string; reason: string }) => Promise<object>,
): Command {
  const patterns = args.includes("EMAIL") ? [OWNER_ID, EMAIL] : [OWNER_ID];
  return {
    args: [args],
    summary,
    changes: true,
    run: (ctx, [owner], reason) => run(ctx, { owner: checked(args, owner, ...patterns), reason }),
  };
}

/** A command that moves money of a settlement. */
function moneyCommand(summary: string, run: typeof refund): Command {
  return {
    args: ["SETTLEMENT_ID"],
    summary,
    changes: true,
    preview: true,
    options: { pence: "N", "act-id": "ID" },
    run: (ctx, [id], reason, given) =>
      run(ctx, {
        settlementId: checked("SETTLEMENT_ID", id, SETTLEMENT_ID),
        pence: amountOf("pence", given),
        actId: actIdOf(given),
        preview: given?.has("preview"),
        reason,
      }),
  };
}

const HOLDABLE = "PUBLIC_ID|TASK_ID|host:NAME";
const RATABLE = "PUBLIC_ID|host:NAME";

/** The administrator's commands by name. */
export const COMMANDS: Record<string, Command> = {
  create: {
    args: ["EMAIL"],
    summary:
      "create an administrator's account with the password in ADMIN_PASSWORD, or with a generated one that is printed once",
    changes: true,
    needsNoReason: true,
    run: (ctx, [email = ""], reason) =>
      createAdministrator(ctx, { email, password: process.env.ADMIN_PASSWORD, reason }),
  },
  // By ID only, so that the administrator looks at the account first: anyone can register any address.
  promote: accountCommand(
    "OWNER_ID",
    "make an owner an administrator; sets a new password (printed once), ends all sessions, removes linked sign-ins and second factors",
    promoteOwner,
  ),
  demote: accountCommand("OWNER_ID|EMAIL", "make an administrator an ordinary owner again", demoteAdministrator),
  "disable-owner": accountCommand(
    "OWNER_ID|EMAIL",
    "disable an account: nobody can sign in to it, and its sessions end",
    disableOwner,
  ),
  "enable-owner": accountCommand("OWNER_ID|EMAIL", "enable a disabled account again", enableOwner),
  "end-sessions": accountCommand("OWNER_ID|EMAIL", "end all sessions of an account", endSessions),
  "reset-password": accountCommand(
    "OWNER_ID|EMAIL",
    "set a new password (printed once), end all sessions and remove second factors",
    resetPassword,
  ),
  administrators: {
    args: [],
    summary:
      "list the administrators, with their last sign-in, whether they have a second factor, and whether they are disabled",
    changes: false,
    run: async () => ({ administrators: await listAdministrators() }),
  },
  identities: {
    args: [],
    optionalArgs: ["SEARCH"],
    flags: ["profiles"],
    summary:
      "list the newest 100 service identities, or with --profiles the profiles without one; SEARCH is a name, host:NAME, a public ID or an owner's e-mail address",
    changes: false,
    run: (_ctx, [search], _reason, given) => printIdentities(search, given?.has("profiles") ?? false),
  },
  suspend: {
    args: ["PUBLIC_ID"],
    summary: "refuse every request of an identity, and everything its profile does in the community",
    changes: true,
    run: (ctx, [id], reason) => suspendIdentity(ctx, { publicId: checked("PUBLIC_ID", id, PUBLIC_ID), reason }),
  },
  restore: {
    args: ["PUBLIC_ID"],
    summary: "lift a suspension: the identity and its profile can act again",
    changes: true,
    run: (ctx, [id], reason) => restoreIdentity(ctx, { publicId: checked("PUBLIC_ID", id, PUBLIC_ID), reason }),
  },
  hold: {
    args: [HOLDABLE],
    summary:
      "refuse all steps and posts of an identity or of every identity on a host, or all steps on a task, until unhold",
    changes: true,
    run: (ctx, [id], reason) => hold(ctx, { subjectId: subjectOf(HOLDABLE, id, PUBLIC_ID, TASK_ID), reason }),
  },
  unhold: {
    args: [HOLDABLE],
    summary: "lift a hold",
    changes: true,
    run: (ctx, [id], reason) => unhold(ctx, { subjectId: subjectOf(HOLDABLE, id, PUBLIC_ID, TASK_ID), reason }),
  },
  reissue: {
    args: ["PUBLIC_ID"],
    summary:
      "issue a new management token, printed once; the identity's token was reported as leaked, or it is held or suspended, and its domain was verified since",
    changes: true,
    run: (ctx, [id], reason) => reissueToken(ctx, { publicId: checked("PUBLIC_ID", id, PUBLIC_ID), reason }),
  },
  risk: {
    args: [RATABLE, "low|normal|high"],
    summary: 'set the risk of an identity, or of every identity on a host; "high" refuses claim and start',
    changes: true,
    run: (ctx, [id, risk], reason) =>
      setRisk(ctx, { publicId: subjectOf(RATABLE, id, PUBLIC_ID), risk: oneOf("RISK", risk, RISKS), reason }),
  },
  "check-domain": {
    args: ["PUBLIC_ID"],
    summary: "check an identity's domain now; counts like a scheduled check",
    changes: true,
    run: (ctx, [id], reason) => checkDomain(ctx, { publicId: checked("PUBLIC_ID", id, PUBLIC_ID), reason }),
  },
  quota: {
    args: ["PUBLIC_ID", "offers|tasks", "N"],
    summary: `set how many enabled offers or open tasks an identity may have, 0 to ${MAX_QUOTA}, whether its domain is verified or not`,
    changes: true,
    run: (ctx, [id, quota, limit], reason) =>
      setQuota(ctx, {
        publicId: checked("PUBLIC_ID", id, PUBLIC_ID),
        quota: oneOf("QUOTA", quota, QUOTA_NAMES),
        limit: quotaLimit(limit),
        reason,
      }),
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
  disputes: {
    args: [],
    optionalArgs: ["open|resolved|DISPUTE_ID"],
    summary: "list the open disputes, oldest first, or the resolved ones; or show one with what both parties say",
    changes: false,
    run: (_ctx, [which]) => printDisputes(which),
  },
  resolve: {
    args: ["DISPUTE_ID", "provider|requester|split"],
    summary:
      "resolve a dispute: for the provider, the task can be completed (with --complete, a submitted one is); for the requester, it ends and its settlement is void (with --refund, the payment is refunded); by a split, the provider gets N of the gross less the fee, the rest is refunded, and the task is completed",
    changes: true,
    preview: true,
    flags: ["complete", "refund"],
    options: { "provider-pence": "N", "act-id": "ID" },
    run: (ctx, [id, resolution], reason, given) =>
      resolveDispute(ctx, {
        disputeId: checked("DISPUTE_ID", id, DISPUTE_ID),
        resolution: oneOf("RESOLUTION", resolution, RESOLUTIONS),
        complete: given?.has("complete"),
        refund: given?.has("refund"),
        providerPence: amountOf("provider-pence", given, 0),
        actId: actIdOf(given),
        preview: given?.has("preview"),
        reason,
      }),
  },
  complete: {
    args: ["TASK_ID"],
    summary: "complete a submitted task in the requester's place, and approve its settlement",
    changes: true,
    preview: true,
    options: { "act-id": "ID" },
    run: (ctx, [id], reason, given) =>
      completeFor(ctx, {
        taskId: checked("TASK_ID", id, TASK_ID),
        actId: actIdOf(given),
        preview: given?.has("preview"),
        reason,
      }),
  },
  "cancel-transfer": {
    args: ["SETTLEMENT_ID"],
    summary: "end a queued transfer, which is then not sent; moves no money",
    changes: true,
    preview: true,
    options: { "act-id": "ID" },
    run: (ctx, [id], reason, given) =>
      cancelTransfer(ctx, {
        settlementId: checked("SETTLEMENT_ID", id, SETTLEMENT_ID),
        actId: actIdOf(given),
        preview: given?.has("preview"),
        reason,
      }),
  },
  refund: moneyCommand(
    "refund the payment of a settlement, or N pence of it, to the requester; in TEST only in the books",
    refund,
  ),
  "reverse-transfer": moneyCommand(
    "take a sent transfer, or N pence of it, back from the provider; in TEST only in the books",
    reverseTransfer,
  ),
  "send-transfer": moneyCommand(
    "send the provider what is left, or N pence of it, after a refund, chargeback or reversal; in TEST only in the books",
    sendTransfer,
  ),
  withdraw: {
    args: ["POST_ID"],
    summary: "withdraw a post: its text is deleted, its author is notified and reports about it are upheld",
    changes: true,
    run: (ctx, [id], reason) => takeDownPost(ctx, { postId: checked("POST_ID", id, POST_ID), reason }),
  },
  reports: {
    args: [],
    summary: "list the open reports about posts, agents, offers and tasks, oldest first",
    changes: false,
    run: async () => ({ reports: await readReports() }),
  },
  uphold: {
    args: ["REPORT_ID"],
    summary: "uphold a report; take any further decision, such as a hold, separately",
    changes: true,
    run: (ctx, [id], reason) => upholdReport(ctx, { reportId: checked("REPORT_ID", id, REPORT_ID), reason }),
  },
  dismiss: {
    args: ["REPORT_ID"],
    summary: "dismiss a report; what was reported stays as it is",
    changes: true,
    run: (ctx, [id], reason) => dismissReport(ctx, { reportId: checked("REPORT_ID", id, REPORT_ID), reason }),
  },
  keys: {
    args: [],
    summary: "count the stored credentials under each AUTH_SECRET; reads whole tables",
    changes: false,
    run: () => readKeys(),
  },
  "rotate-secret": {
    args: [],
    summary: "replace the AUTH_SECRET in DATA_DIR; the old one stays accepted; restart every process afterwards",
    changes: true,
    run: (ctx, _args, reason) => rotateSecret(ctx, { reason }),
  },
  evidence: {
    args: ["TASK_ID"],
    summary: "print the evidence of a task, with the terms, the brief and the result, as its parties get it",
    changes: false,
    run: (ctx, [id]) => wholeTaskEvidence(ctx, { task_id: checked("TASK_ID", id, TASK_ID) }),
  },
  "log-key": {
    args: [],
    flags: ["new"],
    options: { origin: "ORIGIN" },
    summary:
      "print the verifier key of the transparency log (vkey), with which anyone verifies evidence. --new: print a new key for LOG_SIGNING_KEY instead, for the log of BASE_URL or of --origin",
    changes: false,
    withoutDatabase(given) {
      if (given.has("new")) return newLogKey(given.get("origin"));
      if (given.has("origin")) throw invalidInput("--origin", "goes with --new only");
      return undefined;
    },
    run: () => readLogKey(),
  },
  "log-restart": {
    args: [],
    summary:
      "begin another log that adds all entries again, after the key was lost or the database was restored from a backup; the old log stays readable",
    changes: true,
    run: (ctx, _args, reason) => beginAnotherLog(ctx, { reason }),
  },
  "witness-key": {
    args: [],
    summary: "print the verifier key of this installation as a witness of other logs (WITNESS_LOGS)",
    changes: false,
    run: async () => ({ vkey: readWitnessKey() }),
  },
  "stripe-check": {
    args: [],
    summary: "check step by step how LIVE is set up at Stripe, and print what is missing; changes nothing",
    changes: false,
    run: async () => (await import("#lib/payments/platform/read.ts")).readSetUp(),
  },
  audit: {
    args: [],
    optionalArgs: ["ID"],
    summary: "print the newest 50 entries of the audit trail, or of those about or by one ID",
    changes: false,
    run: async (_ctx, [about]) => ({ events: await readAudit(about ? { about } : {}) }),
  },
};
