import type { Metadata } from "next";
import { Copyable } from "#components/copyable.tsx";
import { Part } from "#components/part.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { completionInWords } from "#lib/admin/money/resolution.ts";
import { isOwnSubject } from "#lib/admin/own-subject.ts";
import { readWholeTask, type WholeTask } from "#lib/admin/page-reads/tasks.ts";
import { newId } from "#lib/kernel/ids.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";
import { AdminPage, loaderOf } from "../../admin-page.tsx";
import { TaskFacts, TaskSections } from "../task-sections.tsx";
import { Files } from "./files.tsx";

type Props = { params: Promise<{ task_id: string }> };

const load = loaderOf("tsk", (id, ctx) => readWholeTask(ctx, id));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { found } = await load((await params).task_id);
  return { title: `${plainLine(found.task.title)} · Tasks`, robots: { index: false } };
}

/** What completing a submitted task in the requester's place would do; undefined if it cannot be completed. */
function completionOf({ task, money }: WholeTask): string | undefined {
  if (task.dispute_id || task.state !== "submitted") return undefined;
  const { requester, provider } = task.parties;
  const names = { requester: plainLine(requester.name), provider: plainLine(provider?.name ?? "the provider") };
  return completionInWords({ taskState: task.state, money }, names).join(" ");
}

export default async function TaskPage({ params }: Props) {
  const { ctx, found: whole } = await load((await params).task_id);
  const { task, row } = whole;
  const own = await isOwnSubject(ctx, task.task_id);
  const completion = completionOf(whole);
  return (
    <AdminPage
      at="/admin/tasks"
      within
      title={<UserText text={task.title} className="[overflow-wrap:anywhere]" />}
      facts={
        <p className="mt-2">
          <Copyable value={task.task_id} label="task ID" />
        </p>
      }
    >
      <TaskFacts whole={whole} />
      <Part ruled id="acts" title="Decisions">
        <Acts own={own}>
          {row.heldAt ? (
            <Act
              act="unhold"
              title="Lift the hold"
              send="Lift the hold on this task"
              fields={{ subject: task.task_id }}
              done="The hold on this task is lifted."
            >
              <p>The parties can continue unless another gate blocks them.</p>
            </Act>
          ) : (
            <Act
              act="hold"
              title="Hold"
              send="Hold this task"
              fields={{ subject: task.task_id }}
              done="This task is held."
            >
              <p>Until you lift the hold, every step on this task is refused for everyone, and its transfer waits.</p>
            </Act>
          )}
          {completion ? (
            <Act
              act="complete"
              title="Complete"
              send="Complete this task"
              fields={{ task_id: task.task_id, act_id: newId("act") }}
              question={{
                title: `Complete “${plainLine(task.title)}” in the requester’s place?`,
                action: "Complete this task",
                text: `${completion} This cannot be undone.`,
              }}
              done="The task is completed."
            >
              <p>{completion}</p>
            </Act>
          ) : null}
        </Acts>
      </Part>
      <Files files={whole.files} own={own} />
      <TaskSections whole={whole} />
    </AdminPage>
  );
}
