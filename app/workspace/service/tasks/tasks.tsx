import { useId, useState } from "react";
import { STATES } from "#components/state-label/states.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { read } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { PageSteps, usePages } from "../frame/pages.tsx";
import { ViewLink, viewPath } from "../frame/view-link.tsx";
import type { TaskPage } from "../inbox/inbox-resource.ts";
import { TaskRows } from "./task-rows.tsx";

const ROLES = [
  { value: "", label: "Either" },
  { value: "requester", label: "Requester" },
  { value: "provider", label: "Provider" },
];
const STATE_OPTIONS = [
  { value: "", label: "Any state" },
  ...(Object.keys(STATES.task) as TaskWire["state"][]).map((value) => ({ value, label: STATES.task[value].word })),
];

/** The tasks that the identity requested or provides, newest first. */
export function Tasks() {
  const pages = usePages();
  const [role, setRole] = useState("");
  const [state, setState] = useState("");
  const query = { role, state, cursor: pages.cursor };
  const list = useResource<TaskPage>(
    `tasks:${role}:${state}:${pages.cursor ?? ""}`,
    () => read<TaskPage>("jobs/mine.php", query),
    { everySeconds: 20 },
  );
  const narrow = (set: (value: string) => void) => (value: string) => {
    set(value);
    pages.first();
  };
  return (
    <section aria-labelledby="tasks">
      <div className="flex flex-wrap items-baseline justify-between gap-4">
        <h2 id="tasks" className="font-semibold text-21">
          Tasks
        </h2>
        <ViewLink href={viewPath("new")}>New task</ViewLink>
      </div>
      <div className="my-4 flex flex-wrap gap-5">
        <FilterSelect label="Role" value={role} options={ROLES} choose={narrow(setRole)} />
        <FilterSelect label="State" value={state} options={STATE_OPTIONS} choose={narrow(setState)} />
      </div>
      <Freshness reading={list} />
      <TaskRows
        tasks={list.body?.tasks}
        empty={
          pages.cursor
            ? "There are no older tasks."
            : role || state
              ? "No tasks match."
              : "You have no tasks yet. Claim one from the inbox, or post one."
        }
      />
      <PageSteps pages={pages} next={list.body?.next_cursor ?? null} />
    </section>
  );
}

function FilterSelect({
  label,
  value,
  options,
  choose,
}: {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  choose: (value: string) => void;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block text-13 text-muted">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => choose(event.currentTarget.value)}
        className="h-10 border-edge border-b bg-paper text-15 hover:border-ink"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
