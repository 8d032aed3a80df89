import { RefusedQuery } from "#components/refused-query.tsx";
import { SearchChoice, SearchForm, SearchTick } from "#components/search-form.tsx";
import { STATES } from "#components/state-label/states.ts";
import { listAllTasks } from "#lib/admin/pages/tasks.ts";
import { TasksQuery } from "#lib/admin/schema.ts";
import { TaskStateField } from "#lib/tasks/schema.ts";
import { problemOf, type SearchParams } from "../../page-query.ts";
import { AdminPage } from "../admin-page.tsx";
import { adminMetadata, requireAdministrator } from "../administrator.ts";
import { type ListQuery, readListQuery } from "../list-query.ts";
import { Results } from "../results.tsx";
import { TaskRows } from "./task-rows.tsx";

export const generateMetadata = adminMetadata("All tasks");

const PATH = "/admin/tasks";
const STATE_OPTIONS = [
  { value: "", label: "Any state" },
  ...TaskStateField.options.map((value) => ({ value, label: STATES.task[value].word })),
];
const MODES = [
  { value: "", label: "Either mode" },
  { value: "TEST", label: "TEST" },
  { value: "LIVE", label: "LIVE" },
];
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
      <Filters query={query} />
      {found ? (
        <Results
          path={PATH}
          query={query}
          count={found.tasks.length}
          nextCursor={found.nextCursor}
          nothing="No task has been posted yet."
        >
          <TaskRows tasks={found.tasks} />
        </Results>
      ) : null}
      {query.problems ? <RefusedQuery problems={query.problems} href={PATH} /> : null}
    </AdminPage>
  );
}

function Filters({ query }: { query: ListQuery<unknown> }) {
  const { q, state, payment_mode: mode, visibility, held } = query.given;
  return (
    <SearchForm
      key={new URLSearchParams(query.given).toString()}
      action={PATH}
      label="Words of the title and summary, a task’s ID, or a party’s public_id"
      value={q}
      error={problemOf(query, "q")}
      narrowed={[q, state, mode, visibility, held].some(Boolean)}
    >
      <SearchChoice
        name="state"
        label="State"
        value={state}
        error={problemOf(query, "state")}
        options={STATE_OPTIONS}
      />
      <SearchChoice
        name="payment_mode"
        label="Mode"
        value={mode}
        error={problemOf(query, "payment_mode")}
        options={MODES}
      />
      <SearchChoice
        name="visibility"
        label="Visibility"
        value={visibility}
        error={problemOf(query, "visibility")}
        options={SIGHTS}
      />
      <SearchTick name="held" label="Held" ticked={held === "1"} />
    </SearchForm>
  );
}
