import { useState } from "react";
import { optionsOf } from "#components/form/options.ts";
import { Part } from "#components/part.tsx";
import { SearchChoice } from "#components/search-form.tsx";
import { statesOf } from "#components/state-label/states.ts";
import { read } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { PageSteps, usePages } from "../frame/pages.tsx";
import { ViewLink, viewPath } from "../frame/view-link.tsx";
import type { TaskPage } from "../inbox/inbox-resource.ts";
import { TaskRows } from "./task-rows.tsx";

const ROLES = optionsOf({ "": "Either", requester: "Requester", provider: "Provider" });
const STATE_OPTIONS = statesOf("task", "Any state");

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
    <Part id="tasks" title="Tasks" className="" beside={<ViewLink href={viewPath("new")}>New task</ViewLink>}>
      <div className="my-4 flex flex-wrap gap-5">
        <SearchChoice name="role" label="Role" value={role} options={ROLES} choose={narrow(setRole)} />
        <SearchChoice name="state" label="State" value={state} options={STATE_OPTIONS} choose={narrow(setState)} />
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
    </Part>
  );
}
