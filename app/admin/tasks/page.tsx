import { optionsOf } from "#components/form/options.ts";
import { statesOf } from "#components/state-label/states.ts";
import { listAllTasks } from "#lib/admin/page-reads/tasks.ts";
import { TasksQuery } from "#lib/admin/schema.ts";
import { MODES } from "../../list-parts.tsx";
import { adminMetadata } from "../admin-page.tsx";
import { ListPage, type ListProps, readList } from "../list-page.tsx";
import { TaskRow } from "./task-row.tsx";

export const generateMetadata = adminMetadata("Tasks");

const VISIBILITIES = optionsOf({ "": "Any visibility", listed: "Listed", unlisted: "Unlisted" });

export default async function TasksPage(props: ListProps) {
  const { ctx, query } = await readList(TasksQuery, props);
  return (
    <ListPage
      at="/admin/tasks"
      title="Tasks"
      lead="All tasks, including unlisted ones, newest first."
      query={query}
      search="Words in the title or summary, a task ID, or a party’s public ID"
      filters={[
        { name: "state", label: "State", options: statesOf("task", "Any state") },
        { name: "payment_mode", label: "Mode", options: MODES },
        { name: "visibility", label: "Visibility", options: VISIBILITIES },
        { name: "held", label: "Held", isFlag: true },
      ]}
      found={query.input && (await listAllTasks(ctx, query.input))}
      empty="No tasks have been posted yet."
    >
      {(task) => <TaskRow key={task.id} task={task} />}
    </ListPage>
  );
}
