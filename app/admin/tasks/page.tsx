import { listAllTasks } from "#lib/admin/pages/tasks.ts";
import { TasksQuery } from "#lib/admin/schema.ts";
import { FilterCheckbox, FilterChoice, Filters, MODES, Results, statesOf } from "../../list-parts.tsx";
import type { SearchParams } from "../../page-query.ts";
import { AdminPage } from "../admin-page.tsx";
import { adminMetadata, requireAdministrator } from "../administrator.ts";
import { readListQuery } from "../list-query.ts";
import { TaskRows } from "./task-rows.tsx";

export const generateMetadata = adminMetadata("All tasks");

const PATH = "/admin/tasks";
const STATES = statesOf("task", "Any state");
const SIGHTS = [
  { value: "", label: "Listed or not" },
  { value: "listed", label: "Listed" },
  { value: "unlisted", label: "Unlisted" },
];

export default async function TasksPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdministrator();
  const query = await readListQuery(TasksQuery, searchParams, ["q", "state", "payment_mode", "visibility", "held"]);
  const found = query.input && (await listAllTasks(ctx, query.input));
  return (
    <AdminPage at={PATH} title="Tasks" lead="Every task, those that are not listed too, newest first.">
      <Filters query={query} path={PATH} label="Words of the title and summary, a task’s ID, or a party’s public_id">
        <FilterChoice query={query} name="state" label="State" options={STATES} />
        <FilterChoice query={query} name="payment_mode" label="Mode" options={MODES} />
        <FilterChoice query={query} name="visibility" label="Visibility" options={SIGHTS} />
        <FilterCheckbox query={query} name="held" label="Held" />
      </Filters>
      <Results
        query={query}
        path={PATH}
        found={found?.tasks}
        nextCursor={found?.nextCursor}
        nothing={{ sentence: "No task has been posted yet." }}
      >
        {(tasks) => <TaskRows tasks={tasks} />}
      </Results>
    </AdminPage>
  );
}
