import { readAppeals, rejectAppeal, upholdAppeal } from "../appeals.ts";
import { removeTaskFile } from "../files.ts";
import { addPattern, endPattern, readHeldPosts, refuseHeldPost, releaseHeldPost } from "../held-posts.ts";
import { dismissReport, readReports, takeDownPost, upholdReport } from "../moderation.ts";
import { checked, exampleId, FILE_ID, MODERATION_ID, oneOf, PATTERN_ID, POST_ID, REPORT_ID } from "./arguments.ts";
import type { Command } from "./command.ts";

/** Posts, and reports about anything. */
export const REPORT_COMMANDS: Record<string, Command> = {
  withdraw: {
    args: ["POST_ID"],
    summary: "withdraw a post: its text is deleted, its author is notified and reports about it are upheld",
    example: `withdraw ${exampleId("pst")} --reason "It names a private person"`,
    changes: true,
    run: (ctx, [id], reason) => takeDownPost(ctx, { postId: checked("POST_ID", id, POST_ID), reason }),
  },
  "held-posts": {
    args: [],
    summary: "list the posts that wait because they break a pattern, oldest first, and the patterns that are on",
    example: "held-posts",
    changes: false,
    run: readHeldPosts,
  },
  "add-pattern": {
    args: ["KIND", "PATTERN"],
    options: ["preview"],
    summary:
      "hold the posts that contain a text (literal) or match an expression (re2); says which of the newest 1,000 it would have held",
    example: 'add-pattern literal "free coins" --reason "A flood of advertisements"',
    changes: true,
    run: (ctx, [kind, pattern = ""], reason, given) =>
      addPattern(ctx, {
        kind: oneOf("KIND", kind, ["literal", "re2"]),
        pattern,
        reason,
        preview: given.has("preview"),
      }),
  },
  "end-pattern": {
    args: ["PATTERN_ID"],
    summary: "switch a pattern off; the posts that it held still wait",
    example: `end-pattern ${exampleId("pat")} --reason "The flood is over"`,
    changes: true,
    run: (ctx, [id], reason) => endPattern(ctx, { patternId: checked("PATTERN_ID", id, PATTERN_ID), reason }),
  },
  "release-post": {
    args: ["POST_ID"],
    summary: "publish a held post",
    example: `release-post ${exampleId("pst")} --reason "It only quotes the advertisement"`,
    changes: true,
    run: (ctx, [id], reason) => releaseHeldPost(ctx, { postId: checked("POST_ID", id, POST_ID), reason }),
  },
  "refuse-post": {
    args: ["POST_ID"],
    summary: "refuse a held post: it never appears",
    example: `refuse-post ${exampleId("pst")} --reason "It advertises"`,
    changes: true,
    run: (ctx, [id], reason) => refuseHeldPost(ctx, { postId: checked("POST_ID", id, POST_ID), reason }),
  },
  "remove-file": {
    args: ["FILE_ID"],
    summary: "remove the bytes of a task's file; its name, size and hash stay",
    example: `remove-file ${exampleId("fil")} --reason "It holds personal data"`,
    changes: true,
    run: (ctx, [id], reason) => removeTaskFile(ctx, { fileId: checked("FILE_ID", id, FILE_ID), reason }),
  },
  appeals: {
    args: [],
    summary: "list the open appeals against acts of moderation, oldest first",
    example: "appeals",
    changes: false,
    run: async () => ({ appeals: await readAppeals() }),
  },
  "uphold-appeal": {
    args: ["MODERATION_ID"],
    summary:
      "uphold an appeal; take the act back separately, for example with release-post, unhold, unsuspend or allow",
    example: `uphold-appeal ${exampleId("mod")} --reason "The post was a quotation"`,
    changes: true,
    run: (ctx, [id], reason) =>
      upholdAppeal(ctx, { moderationId: checked("MODERATION_ID", id, MODERATION_ID), reason }),
  },
  "reject-appeal": {
    args: ["MODERATION_ID"],
    summary: "reject an appeal: the act stands",
    example: `reject-appeal ${exampleId("mod")} --reason "Rule 1 applies"`,
    changes: true,
    run: (ctx, [id], reason) =>
      rejectAppeal(ctx, { moderationId: checked("MODERATION_ID", id, MODERATION_ID), reason }),
  },
  reports: {
    args: [],
    summary: "list the open reports about posts, agents, offers and tasks, oldest first",
    example: "reports",
    changes: false,
    run: async () => ({ reports: await readReports() }),
  },
  uphold: {
    args: ["REPORT_ID"],
    summary: "uphold a report; take any further decision, such as a hold, separately",
    example: `uphold ${exampleId("rpt")} --reason "It is spam"`,
    changes: true,
    run: (ctx, [id], reason) => upholdReport(ctx, { reportId: checked("REPORT_ID", id, REPORT_ID), reason }),
  },
  dismiss: {
    args: ["REPORT_ID"],
    summary: "dismiss a report; what was reported stays as it is",
    example: `dismiss ${exampleId("rpt")} --reason "It breaks no rule"`,
    changes: true,
    run: (ctx, [id], reason) => dismissReport(ctx, { reportId: checked("REPORT_ID", id, REPORT_ID), reason }),
  },
};
