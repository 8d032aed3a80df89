import { NamedFiles } from "#components/named-files.tsx";
import { Part } from "#components/part.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { completionInWords } from "#lib/admin/money/resolution.ts";
import { isOwnSubject } from "#lib/admin/own-subject.ts";
import { readWholeTask, type WholeTask } from "#lib/admin/page-reads/tasks.ts";
import { newId } from "#lib/kernel/ids.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";
import { AdminPage } from "../../admin-page.tsx";
import { type SubjectProps, subjectPage } from "../../subject-page.tsx";
import { TaskFacts, TaskSections } from "../task-sections.tsx";

const { load, generateMetadata } = subjectPage(
  "task_id",
  "tsk",
  (id, ctx) => readWholeTask(ctx, id),
  ({ task }) => `${plainLine(task.title)} · Tasks`,
);

export { generateMetadata };

/** What completing a submitted task in the requester's place would do; undefined if it cannot be completed. */
function completionOf({ task, money }: WholeTask): string | undefined {
  if (task.dispute_id || task.state !== "submitted") return undefined;
  const { requester, provider } = task.parties;
  const names = { requester: plainLine(requester.name), provider: plainLine(provider?.name ?? "the provider") };
  return completionInWords({ taskState: task.state, money }, names).join(" ");
}

export default async function TaskPage(props: SubjectProps) {
  const { ctx, found: whole } = await load(props);
  const { task, row } = whole;
  const own = await isOwnSubject(ctx, task.task_id);
  const completion = completionOf(whole);
  return (
    <AdminPage
      at="/admin/tasks"
      within
      title={<UserText text={task.title} />}
      id={{ value: task.task_id, label: "task ID" }}
    >
      <TaskFacts whole={whole} />
      <Part ruled id="acts" title="Decisions">
        <Acts own={own}>
          {row.heldAt ? (
            <Act
              act="unhold"
              title="Lift the hold"
              send="Lift the hold on this task"
              about={{ subject: task.task_id }}
              done="The hold on this task is lifted."
            >
              <p>The parties can continue unless another gate blocks them.</p>
            </Act>
          ) : (
            <Act
              act="hold"
              title="Hold"
              send="Hold this task"
              about={{ subject: task.task_id }}
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
              about={{ task_id: task.task_id, act_id: newId("act") }}
              question={{
                title: `Complete “${plainLine(task.title)}” in the requester’s place?`,
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

/** The files of the task, each of which can be removed while it is kept; nothing without files. */
function Files({ files, own }: { files: WholeTask["files"]; own: boolean }) {
  if (files.length === 0) return null;
  const removed = files.filter(({ state }) => state === "removed");
  return (
    <Part ruled id="files" title="Files">
      <Acts own={own}>
        {files
          .filter(({ state }) => state === "kept")
          .map(({ file_id, name, size, sha256, purpose }) => (
            <Act
              key={file_id}
              act="remove_file"
              title={`${plainLine(name)} (${purpose})`}
              brief={<NamedFiles files={[{ name, size, sha256 }]} />}
              send="Remove this file"
              about={{ file_id }}
              question={{
                title: `Remove “${plainLine(name)}”?`,
                text: "Its bytes are removed for everyone. Its name, size and hash stay, and so does everything that names it. This cannot be undone.",
              }}
              done={`“${plainLine(name)}” is removed.`}
            >
              <p>Both parties lose access to its bytes.</p>
            </Act>
          ))}
      </Acts>
      {removed.length > 0 ? (
        <>
          <p className="mt-6 mb-2 text-muted">Removed</p>
          <NamedFiles files={removed} />
        </>
      ) : null}
    </Part>
  );
}
