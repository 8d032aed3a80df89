import { dismissReport, readReports, takeDownPost, upholdReport } from "../moderation.ts";
import { checked, exampleId, POST_ID, REPORT_ID } from "./arguments.ts";
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
