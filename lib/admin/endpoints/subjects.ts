import { rejectAppeal, upholdAppeal } from "../appeals.ts";
import { checkDomain } from "../check-domain.ts";
import { removeTaskFile } from "../files.ts";
import { addPattern, endPattern, refuseHeldPost, releaseHeldPost } from "../held-posts.ts";
import { hold, unhold } from "../hold.ts";
import { dismissReport, takeDownPost, upholdReport } from "../moderation.ts";
import { reissueToken } from "../reissue.ts";
import { allowAction, denyAction, setQuota, setRisk } from "../restrictions.ts";
import * as schema from "../schema.ts";
import { restoreIdentity, suspendIdentity } from "../suspension.ts";
import { act } from "./act.ts";

export const subjectActs = [
  act({
    name: "suspend",
    summary: "Suspend an identity and its profile",
    input: schema.SubjectInput,
    output: schema.SuspensionAnswer,
    run: (ctx, { public_id: publicId, reason }) => suspendIdentity(ctx, { publicId, reason }),
  }),
  act({
    name: "restore",
    summary: "Restore a suspended identity and its profile",
    input: schema.SubjectInput,
    output: schema.SuspensionAnswer,
    run: (ctx, { public_id: publicId, reason }) => restoreIdentity(ctx, { publicId, reason }),
  }),
  act({
    name: "hold",
    summary: "Hold an identity, every identity on a host, or a task",
    input: schema.HoldInput,
    output: schema.HoldAnswer,
    run: (ctx, { subject: subjectId, reason }) => hold(ctx, { subjectId, reason }),
  }),
  act({
    name: "unhold",
    summary: "Lift a hold",
    input: schema.HoldInput,
    output: schema.HoldAnswer,
    run: (ctx, { subject: subjectId, reason }) => unhold(ctx, { subjectId, reason }),
  }),
  act({
    name: "risk",
    summary: "Set the risk of an identity, or of every identity on a host",
    input: schema.RiskInput,
    output: schema.RiskAnswer,
    run: (ctx, { public_id: publicId, risk, reason }) => setRisk(ctx, { publicId, risk, reason }),
  }),
  act({
    name: "quota",
    summary: "Set an identity's quota of enabled offers or open tasks",
    input: schema.QuotaInput,
    output: schema.QuotaAnswer,
    run: (ctx, { public_id: publicId, quota, limit, reason }) => setQuota(ctx, { publicId, quota, limit, reason }),
  }),
  act({
    name: "deny",
    summary: "Deny an action to an identity",
    input: schema.PermissionInput,
    output: schema.PermissionAnswer,
    run: (ctx, { public_id: publicId, action, reason }) => denyAction(ctx, { publicId, action, reason }),
  }),
  act({
    name: "allow",
    summary: "Allow a denied action again",
    input: schema.PermissionInput,
    output: schema.PermissionAnswer,
    run: (ctx, { public_id: publicId, action, reason }) => allowAction(ctx, { publicId, action, reason }),
  }),
  act({
    name: "check_domain",
    summary: "Check an identity's domain now",
    input: schema.SubjectInput,
    output: schema.DomainAnswer,
    errors: ["state_conflict"],
    run: (ctx, { public_id: publicId, reason }) => checkDomain(ctx, { publicId, reason }),
  }),
  act({
    name: "reissue",
    summary: "Issue a new management token",
    input: schema.SubjectInput,
    output: schema.ReissueAnswer,
    errors: ["state_conflict"],
    run: (ctx, { public_id: publicId, reason }) => reissueToken(ctx, { publicId, reason }),
  }),
  act({
    name: "withdraw_post",
    summary: "Withdraw a post and uphold the reports about it",
    input: schema.PostInput,
    output: schema.WithdrawAnswer,
    run: (ctx, { post_id: postId, reason }) => takeDownPost(ctx, { postId, reason }),
  }),
  act({
    name: "dismiss_report",
    summary: "Dismiss a report: what was reported stays as it is",
    input: schema.ReportInput,
    output: schema.ReportAnswer,
    errors: ["state_conflict"],
    run: (ctx, { report_id: reportId, reason }) => dismissReport(ctx, { reportId, reason }),
  }),
  act({
    name: "add_pattern",
    summary: "Hold the posts that break a pattern",
    input: schema.PatternInput,
    output: schema.PatternAnswer,
    errors: ["quota_exceeded"],
    run: addPattern,
  }),
  act({
    name: "end_pattern",
    summary: "Switch a pattern off",
    input: schema.EndPatternInput,
    output: schema.EndPatternAnswer,
    run: (ctx, { pattern_id: patternId, reason }) => endPattern(ctx, { patternId, reason }),
  }),
  act({
    name: "release_post",
    summary: "Publish a held post",
    input: schema.PostInput,
    output: schema.HeldPostAnswer,
    errors: ["state_conflict"],
    run: (ctx, { post_id: postId, reason }) => releaseHeldPost(ctx, { postId, reason }),
  }),
  act({
    name: "refuse_post",
    summary: "Refuse a held post",
    input: schema.PostInput,
    output: schema.HeldPostAnswer,
    errors: ["state_conflict"],
    run: (ctx, { post_id: postId, reason }) => refuseHeldPost(ctx, { postId, reason }),
  }),
  act({
    name: "uphold_appeal",
    summary: "Uphold an appeal",
    input: schema.AppealInput,
    output: schema.AppealAnswer,
    errors: ["state_conflict"],
    run: (ctx, { moderation_id: moderationId, reason }) => upholdAppeal(ctx, { moderationId, reason }),
  }),
  act({
    name: "reject_appeal",
    summary: "Reject an appeal",
    input: schema.AppealInput,
    output: schema.AppealAnswer,
    errors: ["state_conflict"],
    run: (ctx, { moderation_id: moderationId, reason }) => rejectAppeal(ctx, { moderationId, reason }),
  }),
  act({
    name: "uphold_report",
    summary: "Uphold a report",
    input: schema.ReportInput,
    output: schema.ReportAnswer,
    errors: ["state_conflict"],
    run: (ctx, { report_id: reportId, reason }) => upholdReport(ctx, { reportId, reason }),
  }),
  act({
    name: "remove_file",
    summary: "Remove the bytes of a task's file",
    input: schema.FileInput,
    output: schema.RemovedFileAnswer,
    run: (ctx, { file_id: fileId, reason }) => removeTaskFile(ctx, { fileId, reason }),
  }),
];
