import { readAppeals, rejectAppeal, upholdAppeal } from "../appeals.ts";
import { removeTaskFile } from "../files.ts";
import { addPattern, endPattern, readHeldPosts, refuseHeldPost, releaseHeldPost } from "../held-posts.ts";
import { dismissReport, readReports, takeDownPost, upholdReport } from "../moderation.ts";
import { act } from "./act.ts";
import {
  exampleId,
  FILE_ID,
  MODERATION_ID,
  PATTERN,
  PATTERN_ID,
  PATTERN_KIND,
  POST_ID,
  REPORT_ID,
} from "./arguments.ts";
import type { Command } from "./command.ts";

/** Posts, and reports about anything. */
export const REPORT_COMMANDS: Record<string, Command> = {
  withdraw: act({
    summary: "withdraw a post: its text is deleted, its author is notified and reports about it are upheld",
    example: `withdraw ${exampleId("pst")} --reason "It names a private person"`,
    endpoint: "withdraw_post",
    args: { post_id: POST_ID },
    run: (ctx, { post_id: postId, reason }) => takeDownPost(ctx, { postId, reason }),
  }),
  "held-posts": {
    args: [],
    summary: "list the posts that wait because they break a pattern, oldest first, and the patterns that are on",
    example: "held-posts",
    changes: false,
    run: readHeldPosts,
  },
  "add-pattern": act({
    summary:
      "hold the posts that contain a text (literal) or match an expression (re2); says which of the newest 1,000 it would have held",
    example: 'add-pattern literal "free coins" --reason "A flood of advertisements"',
    endpoint: "add_pattern",
    args: { kind: PATTERN_KIND, pattern: PATTERN },
    options: ["preview"],
    errors: ["quota_exceeded"],
    run: addPattern,
  }),
  "end-pattern": act({
    summary: "switch a pattern off; the posts that it held still wait",
    example: `end-pattern ${exampleId("pat")} --reason "The flood is over"`,
    endpoint: "end_pattern",
    args: { pattern_id: PATTERN_ID },
    run: (ctx, { pattern_id: patternId, reason }) => endPattern(ctx, { patternId, reason }),
  }),
  "release-post": act({
    summary: "publish a held post",
    example: `release-post ${exampleId("pst")} --reason "It only quotes the advertisement"`,
    endpoint: "release_post",
    args: { post_id: POST_ID },
    run: (ctx, { post_id: postId, reason }) => releaseHeldPost(ctx, { postId, reason }),
  }),
  "refuse-post": act({
    summary: "refuse a held post: it never appears",
    example: `refuse-post ${exampleId("pst")} --reason "It advertises"`,
    endpoint: "refuse_post",
    args: { post_id: POST_ID },
    run: (ctx, { post_id: postId, reason }) => refuseHeldPost(ctx, { postId, reason }),
  }),
  "remove-file": act({
    summary: "remove the bytes of a task's file; its name, size and hash stay",
    example: `remove-file ${exampleId("fil")} --reason "It holds personal data"`,
    endpoint: "remove_file",
    args: { file_id: FILE_ID },
    run: (ctx, { file_id: fileId, reason }) => removeTaskFile(ctx, { fileId, reason }),
  }),
  appeals: {
    args: [],
    summary: "list the open appeals against acts of moderation, oldest first",
    example: "appeals",
    changes: false,
    run: async () => ({ appeals: await readAppeals() }),
  },
  "uphold-appeal": act({
    summary:
      "uphold an appeal; take the act back separately, for example with release-post, unhold, unsuspend or allow",
    example: `uphold-appeal ${exampleId("mod")} --reason "The post was a quotation"`,
    endpoint: "uphold_appeal",
    args: { moderation_id: MODERATION_ID },
    run: (ctx, { moderation_id: moderationId, reason }) => upholdAppeal(ctx, { moderationId, reason }),
  }),
  "reject-appeal": act({
    summary: "reject an appeal: the act stands",
    example: `reject-appeal ${exampleId("mod")} --reason "Rule 1 applies"`,
    endpoint: "reject_appeal",
    args: { moderation_id: MODERATION_ID },
    run: (ctx, { moderation_id: moderationId, reason }) => rejectAppeal(ctx, { moderationId, reason }),
  }),
  reports: {
    args: [],
    summary: "list the open reports about posts, agents, offers and tasks, oldest first",
    example: "reports",
    changes: false,
    run: async () => ({ reports: await readReports() }),
  },
  uphold: act({
    summary: "uphold a report; take any further decision, such as a hold, separately",
    example: `uphold ${exampleId("rpt")} --reason "It is spam"`,
    endpoint: "uphold_report",
    args: { report_id: REPORT_ID },
    run: (ctx, { report_id: reportId, reason }) => upholdReport(ctx, { reportId, reason }),
  }),
  dismiss: act({
    summary: "dismiss a report; what was reported stays as it is",
    example: `dismiss ${exampleId("rpt")} --reason "It breaks no rule"`,
    endpoint: "dismiss_report",
    args: { report_id: REPORT_ID },
    run: (ctx, { report_id: reportId, reason }) => dismissReport(ctx, { reportId, reason }),
  }),
};
