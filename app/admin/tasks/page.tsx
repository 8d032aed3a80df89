import { listAllTasks } from "#lib/admin/page-reads/tasks.ts";
import { TasksQuery } from "#lib/admin/schema.ts";
import { FilterCheckbox, FilterChoice, FilteredList, MODES, statesOf } from "../../list-parts.tsx";
import type { SearchParams } from "../../page-query.ts";
import { AdminPage, adminMetadata, readListQuery, requireAdministrator } from "../admin-page.tsx";
import { TaskRows } from "./task-rows.tsx";

export const generateMetadata = adminMetadata("Tasks");

const PATH = "/admin/tasks";
const STATES = statesOf("task", "Any state");
const VISIBILITIES = [
  { value: "", label: "Any visibility" },
  { value: "listed", label: "Listed" },
  { value: "unlisted", label: "Unlisted" },
];

export default async function TasksPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdministrator();
  const query = await readListQuery(TasksQuery, searchParams, ["q", "state", "payment_mode", "visibility", "held"]);
  const found = query.input && (await listAllTasks(ctx, query.input));
  return (
    <AdminPage at={PATH} title="Tasks" lead="All tasks, including unlisted ones, newest first.">
      <FilteredList
        query={query}
        path={PATH}
        label="Words in the title or summary, a task ID, or a party’s public ID"
        filters={
          <>
            <FilterChoice query={query} name="state" label="State" options={STATES} />
            <FilterChoice query={query} name="payment_mode" label="Mode" options={MODES} />
            <FilterChoice query={query} name="visibility" label="Visibility" options={VISIBILITIES} />
            <FilterCheckbox query={query} name="held" label="Held" />
          </>
        }
        found={found && { items: found.tasks, next: found.nextCursor }}
        empty={{ sentence: "No tasks have been posted yet." }}
      >
        {(tasks) => <TaskRows tasks={tasks} />}
      </FilteredList>
    </AdminPage>
  );
}
