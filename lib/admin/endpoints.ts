import type { ZodObject, ZodRawShape, z } from "zod";
import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import type { ErrorCode } from "#lib/kernel/errors.ts";
import { retryEvent } from "#lib/payments/webhooks/process.ts";
import * as accounts from "./accounts.ts";
import { cancelTransfer } from "./cancel-transfer.ts";
import { checkDomain } from "./check-domain.ts";
import { completeFor } from "./complete.ts";
import type { AdminContext } from "./context.ts";
import { resolveDispute } from "./disputes.ts";
import { hold, unhold } from "./hold.ts";
import { removeJob, retryJob } from "./jobs.ts";
import { dismissReport, takeDownPost, upholdReport } from "./moderation.ts";
import { refund, reverseTransfer, sendTransfer } from "./money/move.ts";
import { reissueToken } from "./reissue.ts";
import { allowAction, denyAction, setQuota, setRisk } from "./restrictions.ts";
import * as schema from "./schema.ts";
import { restoreIdentity, suspendIdentity } from "./suspension.ts";

type Act<I extends ZodObject<ZodRawShape>, O extends ZodObject<ZodRawShape>> = {
  name: string;
  summary: string;
  input: I;
  output: O;
  errors?: ErrorCode[];
  run(ctx: AdminContext, input: z.output<I>): Promise<z.input<O>>;
};

/** An act of an administrator, for the service's own pages only. */
function act<I extends ZodObject<ZodRawShape>, O extends ZodObject<ZodRawShape>>({
  name,
  errors = [],
  ...rest
}: Act<I, O>): Endpoint {
  return defineEndpoint({
    method: "POST",
    path: `/api/v1/admin/${name}.php`,
    tag: "Administration",
    auth: "administrator",
    status: 200,
    errors: ["not_found", "forbidden", ...errors],
    ...rest,
  });
}

const adminSuspend = act({
  name: "suspend",
  summary: "Suspend an identity and its profile",
  input: schema.SubjectInput,
  output: schema.SuspensionAnswer,
  run: (ctx, { public_id: publicId, reason }) => suspendIdentity(ctx, { publicId, reason }),
});

const adminRestore = act({
  name: "restore",
  summary: "Restore a suspended identity and its profile",
  input: schema.SubjectInput,
  output: schema.SuspensionAnswer,
  run: (ctx, { public_id: publicId, reason }) => restoreIdentity(ctx, { publicId, reason }),
});

const adminHold = act({
  name: "hold",
  summary: "Hold an identity, every identity on a host, or a task",
  input: schema.HoldInput,
  output: schema.HoldAnswer,
  run: (ctx, { subject: subjectId, reason }) => hold(ctx, { subjectId, reason }),
});

const adminUnhold = act({
  name: "unhold",
  summary: "Lift a hold",
  input: schema.HoldInput,
  output: schema.HoldAnswer,
  run: (ctx, { subject: subjectId, reason }) => unhold(ctx, { subjectId, reason }),
});

const adminRisk = act({
  name: "risk",
  summary: "Set the risk of an identity, or of every identity on a host",
  input: schema.RiskInput,
  output: schema.RiskAnswer,
  run: (ctx, { public_id: publicId, risk, reason }) => setRisk(ctx, { publicId, risk, reason }),
});

const adminQuota = act({
  name: "quota",
  summary: "Set an identity's quota of enabled offers or open tasks",
  input: schema.QuotaInput,
  output: schema.QuotaAnswer,
  run: (ctx, { public_id: publicId, quota, limit, reason }) => setQuota(ctx, { publicId, quota, limit, reason }),
});

const adminDeny = act({
  name: "deny",
  summary: "Deny an action to an identity",
  input: schema.PermissionInput,
  output: schema.PermissionAnswer,
  run: (ctx, { public_id: publicId, action, reason }) => denyAction(ctx, { publicId, action, reason }),
});

const adminAllow = act({
  name: "allow",
  summary: "Allow a denied action again",
  input: schema.PermissionInput,
  output: schema.PermissionAnswer,
  run: (ctx, { public_id: publicId, action, reason }) => allowAction(ctx, { publicId, action, reason }),
});

const adminCheckDomain = act({
  name: "check_domain",
  summary: "Check an identity's domain now",
  input: schema.SubjectInput,
  output: schema.DomainAnswer,
  errors: ["state_conflict"],
  run: (ctx, { public_id: publicId, reason }) => checkDomain(ctx, { publicId, reason }),
});

const adminReissue = act({
  name: "reissue",
  summary: "Issue a new management token",
  input: schema.SubjectInput,
  output: schema.ReissueAnswer,
  errors: ["state_conflict"],
  run: (ctx, { public_id: publicId, reason }) => reissueToken(ctx, { publicId, reason }),
});

const adminWithdrawPost = act({
  name: "withdraw_post",
  summary: "Withdraw a post and uphold the reports about it",
  input: schema.PostInput,
  output: schema.WithdrawAnswer,
  run: (ctx, { post_id: postId, reason }) => takeDownPost(ctx, { postId, reason }),
});

const adminDismissReport = act({
  name: "dismiss_report",
  summary: "Dismiss a report: what was reported stays as it is",
  input: schema.ReportInput,
  output: schema.ReportAnswer,
  errors: ["state_conflict"],
  run: (ctx, { report_id: reportId, reason }) => dismissReport(ctx, { reportId, reason }),
});

const adminUpholdReport = act({
  name: "uphold_report",
  summary: "Uphold a report",
  input: schema.ReportInput,
  output: schema.ReportAnswer,
  errors: ["state_conflict"],
  run: (ctx, { report_id: reportId, reason }) => upholdReport(ctx, { reportId, reason }),
});

const adminPromote = act({
  name: "promote",
  summary: "Make an owner an administrator, with a new password",
  input: schema.AccountInput,
  output: schema.PromotionAnswer,
  errors: ["state_conflict"],
  run: (ctx, { owner_id: owner, reason }) => accounts.promoteOwner(ctx, { owner, reason }),
});

const adminDemote = act({
  name: "demote",
  summary: "Make an administrator an ordinary owner",
  input: schema.AccountInput,
  output: schema.DemotionAnswer,
  errors: ["state_conflict"],
  run: (ctx, { owner_id: owner, reason }) => accounts.demoteAdministrator(ctx, { owner, reason }),
});

const adminDisableOwner = act({
  name: "disable_owner",
  summary: "Disable an owner's account and end its sessions",
  input: schema.AccountInput,
  output: schema.DisabledAnswer,
  errors: ["state_conflict"],
  run: (ctx, { owner_id: owner, reason }) => accounts.disableOwner(ctx, { owner, reason }),
});

const adminEnableOwner = act({
  name: "enable_owner",
  summary: "Enable a disabled account again",
  input: schema.AccountInput,
  output: schema.DisabledAnswer,
  run: (ctx, { owner_id: owner, reason }) => accounts.enableOwner(ctx, { owner, reason }),
});

const adminEndSessions = act({
  name: "end_sessions",
  summary: "End all sessions of an account",
  input: schema.AccountInput,
  output: schema.SessionsAnswer,
  run: (ctx, { owner_id: owner, reason }) => accounts.endSessions(ctx, { owner, reason }),
});

const adminResetPassword = act({
  name: "reset_password",
  summary: "Set a new password for an account, end its sessions and remove its second factors",
  input: schema.AccountInput,
  output: schema.NewPasswordAnswer,
  run: (ctx, { owner_id: owner, reason }) => accounts.resetPassword(ctx, { owner, reason }),
});

const adminResolveDispute = act({
  name: "resolve_dispute",
  summary: "Resolve a dispute for one of the parties, or by a split",
  input: schema.ResolveInput,
  output: schema.ResolutionAnswer,
  errors: ["state_conflict"],
  run: (ctx, { dispute_id: disputeId, provider_pence: providerPence, act_id: actId, reason, ...choice }) =>
    resolveDispute(ctx, { disputeId, providerPence, actId, reason, ...choice }),
});

const adminComplete = act({
  name: "complete",
  summary: "Complete a submitted task in the requester's place",
  input: schema.TaskInput,
  output: schema.CompletedAnswer,
  errors: ["state_conflict"],
  run: (ctx, { task_id: taskId, act_id: actId, reason, preview }) =>
    completeFor(ctx, { taskId, actId, reason, preview }),
});

const adminCancelTransfer = act({
  name: "cancel_transfer",
  summary: "End a queued transfer, which is then not sent",
  input: schema.SettlementInput,
  output: schema.SettlementAnswer,
  errors: ["state_conflict"],
  run: (ctx, { settlement_id: settlementId, act_id: actId, reason, preview }) =>
    cancelTransfer(ctx, { settlementId, actId, reason, preview }),
});

/** An act that moves money of a settlement. */
const moneyAct = (name: string, summary: string, run: typeof refund) =>
  act({
    name,
    summary,
    input: schema.MoneyInput,
    output: schema.MoneyAnswer,
    errors: ["state_conflict"],
    run: (ctx, { settlement_id: settlementId, act_id: actId, pence, reason, preview }) =>
      run(ctx, { settlementId, actId, pence, reason, preview }),
  });

const adminRefund = moneyAct("refund", "Refund the payment of a settlement, or a part of it", refund);

const adminReverseTransfer = moneyAct(
  "reverse_transfer",
  "Take a sent transfer, or a part of it, back from the provider",
  reverseTransfer,
);

const adminSendTransfer = moneyAct(
  "send_transfer",
  "Send the provider what is left, or a part of it, after a refund, chargeback or reversal",
  sendTransfer,
);

const adminRetryJob = act({
  name: "retry_job",
  summary: "Retry a background job",
  input: schema.JobInput,
  output: schema.JobAnswer,
  errors: ["state_conflict"],
  run: (ctx, { job_id: jobId, reason }) => retryJob(ctx, { jobId, reason }),
});

const adminRemoveJob = act({
  name: "remove_job",
  summary: "Remove a background job from the queue",
  input: schema.JobInput,
  output: schema.JobAnswer,
  errors: ["state_conflict"],
  run: (ctx, { job_id: jobId, reason }) => removeJob(ctx, { jobId, reason }),
});

const adminRetryEvent = act({
  name: "retry_event",
  summary: "Process a Stripe event again",
  input: schema.EventInput,
  output: schema.EventAnswer,
  run: async (ctx, { event_id, reason }) => {
    await retryEvent(ctx, event_id, reason);
    return { event_id };
  },
});

/** All acts of the administrators' console. The command line calls the same verbs. */
export const adminEndpoints: Endpoint[] = [
  adminSuspend,
  adminRestore,
  adminHold,
  adminUnhold,
  adminRisk,
  adminQuota,
  adminDeny,
  adminAllow,
  adminCheckDomain,
  adminReissue,
  adminWithdrawPost,
  adminDismissReport,
  adminUpholdReport,
  adminPromote,
  adminDemote,
  adminDisableOwner,
  adminEnableOwner,
  adminEndSessions,
  adminResetPassword,
  adminResolveDispute,
  adminComplete,
  adminCancelTransfer,
  adminRefund,
  adminReverseTransfer,
  adminSendTransfer,
  adminRetryJob,
  adminRemoveJob,
  adminRetryEvent,
];
