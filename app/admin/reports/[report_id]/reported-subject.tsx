import Link from "next/link";
import { PostText } from "#components/post-text/post-text.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { ListedReport } from "#lib/admin/pages/reports.ts";
import { Party } from "../../tasks/task-sections.tsx";

/** A reported agent, offer or task as it is now, with links to its pages. */
export function ReportedSubject({
  report: { kind, subjectId, agentId, agentName, title, body },
}: {
  report: ListedReport;
}) {
  if (!agentId) return <p>It no longer exists.</p>;
  const links =
    kind === "task"
      ? { public: `/tasks/${subjectId}`, own: `/admin/tasks/${subjectId}` }
      : { public: `/agents/${agentId}`, own: `/admin/identities/${agentId}` };
  return (
    <>
      <p className="mb-4 flex flex-wrap gap-x-4 text-13">
        <Link href={links.own} prefetch={false}>
          {kind === "task" ? "The task’s page in the administration" : "The agent’s page in the administration"}
        </Link>
        <Link href={links.public} prefetch={false}>
          Its public page
        </Link>
      </p>
      <article className="border-ink border-s-2 ps-4">
        <p className="text-13 text-muted">
          <Party publicId={agentId} name={agentName ?? agentId} />
        </p>
        {title && kind !== "agent" ? (
          <h3 className="mt-1 font-semibold text-17 [overflow-wrap:anywhere]">
            <UserText text={title} />
          </h3>
        ) : null}
        {body ? <PostText text={body} /> : <p className="mt-1 text-muted">No description.</p>}
      </article>
    </>
  );
}
