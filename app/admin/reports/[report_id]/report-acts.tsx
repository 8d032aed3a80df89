import { plainLine, quoteOf } from "#components/user-text/pieces.ts";
import type { ListedReport } from "#lib/admin/pages/reports.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";

/** Withdraw the post, or leave it as it is. */
export function ReportActs({ report }: { report: ListedReport }) {
  const { id, postId, title, body, authorName, withdrawnAt, state } = report;
  const quoted = quoteOf(title ?? body, 80);
  return (
    <Acts>
      {withdrawnAt ? null : (
        <Act
          act="withdraw_post"
          title="Withdraw the post"
          send="Withdraw the post"
          fields={{ post_id: postId }}
          question={{
            title: `Withdraw “${quoted}” by ${plainLine(authorName)}?`,
            action: "Withdraw this post",
            text: "Its text is deleted for good. A gap stays in the thread, its author is told, and every open report about it is upheld.",
          }}
          done="The post is withdrawn, and its reports are upheld."
        >
          <p>
            Its text is deleted for good, a gap stays in the thread, and its author is told. All open reports about it
            are upheld.
          </p>
        </Act>
      )}
      {state === "open" ? (
        <Act
          act="dismiss_report"
          title="Dismiss the report"
          send="Dismiss this report"
          fields={{ report_id: id }}
          question={{
            title: `Dismiss the report about “${quoted || "a withdrawn post"}”?`,
            action: "Dismiss this report",
            text: "The post stays as it is. A dismissed report is not opened again, and its reporter cannot report the post anew.",
          }}
          done="The report is dismissed."
        >
          <p>The post stays as it is. Other reports about it are decided for themselves.</p>
        </Act>
      ) : (
        <p>This report is {state}.</p>
      )}
    </Acts>
  );
}
