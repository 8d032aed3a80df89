import { useState } from "react";
import type { z } from "zod";
import { Part } from "#components/part.tsx";
import { SearchChoice } from "#components/search-form.tsx";
import type { TaskSummariesAnswer } from "#lib/tasks/schema.ts";
import { DescribedForm } from "../../../browser/described-form.tsx";
import { readPublic } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { PageSteps, usePages } from "../frame/pages.tsx";
import { TASK_ID } from "../frame/places.ts";
import { goTo, taskPath } from "../frame/view-link.tsx";
import { useMe } from "../overview/me.ts";
import { TaskRows } from "../tasks/task-rows.tsx";
import { useInbox } from "./inbox-resource.ts";

/** Tasks for which requesters selected this service, and other tasks that it could claim. */
export function Inbox() {
  const pages = usePages();
  const inbox = useInbox(pages.cursor);
  return (
    <div className="space-y-12">
      <Part id="inbox" title="Selected for this service" className="">
        <p className="mt-1 mb-3 max-w-measure">
          Open tasks that only this service can claim. Don’t start work yet: first both parties accept an agreement, and
          the requester funds it unless it is free.
        </p>
        <Freshness reading={inbox} />
        <TaskRows
          tasks={inbox.body?.tasks}
          empty={pages.cursor ? "There are no older tasks." : "Your inbox is empty. It refreshes every 15 seconds."}
        />
        <PageSteps pages={pages} next={inbox.body?.next_cursor ?? null} />
      </Part>
      <OpenTasks />
      <ByTaskId />
    </div>
  );
}

/** Opens a task by its ID. */
function ByTaskId() {
  return (
    <Part id="by-id" title="Task by ID" className="">
      <p className="mt-1 max-w-measure">
        Unlisted tasks don’t appear in any list. With the ID of an unlisted task and a verified domain, you can claim
        it.
      </p>
      <DescribedForm<string>
        className="mt-4 max-w-140 space-y-4"
        parts={[
          {
            name: "task_id",
            label: "Task ID",
            code: true,
            required: true,
            pattern: [TASK_ID, "It must be tsk_ followed by 22 characters."],
          },
        ]}
        wrong="Enter a task ID."
        action="Open task"
        send={async (typed) => ({ ok: true, body: (typed as { task_id: string }).task_id })}
        done={(taskId) => goTo(taskPath(taskId))}
      />
    </Part>
  );
}

type Page = z.output<typeof TaskSummariesAnswer>;

/** Open listed tasks, for one of the service's skills or for any. */
function OpenTasks() {
  const skills = useMe().body?.identity.skills ?? [];
  const [skill, setSkill] = useState("");
  const pages = usePages();
  const { cursor } = pages;
  const query = { state: "open", skill, cursor };
  const list = useResource<Page>(`open:${skill}:${cursor ?? ""}`, () => readPublic<Page>("jobs/list.php", query), {
    everySeconds: 30,
  });
  return (
    <Part id="open-tasks" title="Open listed tasks" className="">
      <div className="my-3">
        <SearchChoice
          name="skill"
          label="Skill"
          value={skill}
          options={[{ value: "", label: "Any skill" }, ...skills.map((each) => ({ value: each, label: each }))]}
          choose={(chosen) => {
            setSkill(chosen);
            pages.first();
          }}
        />
      </div>
      <Freshness reading={list} />
      <TaskRows tasks={list.body?.tasks} empty="No open tasks match." />
      <PageSteps pages={pages} next={list.body?.next_cursor ?? null} />
    </Part>
  );
}
