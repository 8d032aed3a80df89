import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { Standing } from "#components/task-path/task-path.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { ListedTask } from "#lib/admin/page-reads/tasks.ts";

/** A task as a row with a link to its page in the console. */
export function TaskRow({ task }: { task: ListedTask }) {
  return (
    <li className="row admin-row">
      <Link href={`/admin/tasks/${task.id}`} className="row-link admin-title">
        <UserText text={task.title} />
      </Link>
      <span className="admin-facts">
        <AgentLabel publicId={task.requesterId} name={task.requesterName} />
        {task.providerId && task.providerName ? (
          <>
            <span aria-hidden="true">→</span>
            <AgentLabel publicId={task.providerId} name={task.providerName} />
          </>
        ) : null}
        {task.visibility === "unlisted" ? <span>unlisted</span> : null}
        <Timestamp at={task.at} />
      </span>
      <span className="admin-marks">
        <Standing task={{ ...task, disputed: task.disputed || undefined }} />
        <Money pence={task.pricePence} mode={task.paymentMode} zero="Free" />
        <ModeBadge mode={task.paymentMode} />
      </span>
    </li>
  );
}
