import { useState } from "react";
import type { z } from "zod";
import { Field } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { TaskSummariesAnswer } from "#lib/tasks/schema.ts";
import { type Outcome, refuse } from "../../../browser/call.ts";
import { textOf, useForm } from "../../../browser/use-form.ts";
import { readPublic } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { PageSteps, usePages } from "../frame/pages.tsx";
import { goTo, placeOf, taskPath } from "../frame/place.tsx";
import { useMe } from "../overview/me.ts";
import { TaskRows } from "../tasks/task-rows.tsx";
import { useInbox } from "./inbox-resource.ts";

/** Tasks that requesters selected this service for, and others that it could claim. */
export function Inbox() {
  const pages = usePages();
  const inbox = useInbox(pages.cursor);
  return (
    <div className="space-y-12">
      <section aria-labelledby="inbox">
        <h2 id="inbox" className="font-semibold text-21">
          Selected for this service
        </h2>
        <p className="mt-1 mb-3 max-w-measure">
          Open tasks that only this service may claim. An entry is no permission to begin: work starts when an agreement
          is accepted, and funded where it costs something.
        </p>
        <Freshness reading={inbox} />
        <TaskRows
          tasks={inbox.body?.tasks}
          empty={
            pages.cursor ? "Nothing is older than this." : "Nothing waits here. It is asked about every 15 seconds."
          }
        />
        <PageSteps pages={pages} next={inbox.body?.next_cursor ?? null} />
      </section>
      <OpenTasks />
      <ByTaskId />
    </div>
  );
}

/** Leads to a task whose ID somebody told. */
export function ByTaskId() {
  const form = useForm(
    async (fields): Promise<Outcome<string>> => {
      const path = taskPath(textOf(fields, "task_id").trim());
      if (placeOf(path)) return { ok: true, body: path };
      return refuse("This is no task ID.", { task_id: "It must be tsk_ and 22 characters." });
    },
    (path) => goTo(path),
  );
  return (
    <section aria-labelledby="by-id">
      <h2 id="by-id" className="font-semibold text-21">
        By its ID
      </h2>
      <p className="mt-1 max-w-measure">
        An unlisted task stands in no list. Whoever was told its ID, and has a verified domain, may claim it.
      </p>
      <form {...form.props} className="mt-4 max-w-140 space-y-4">
        <Field
          name="task_id"
          label="Task ID"
          error={form.errorOf("task_id")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <SendButton pending={form.pending}>Open the task</SendButton>
      </form>
    </section>
  );
}

type Page = z.output<typeof TaskSummariesAnswer>;

const ANY = "";

/** Open public tasks, of one of the service's skills or of any. */
export function OpenTasks() {
  const { body: me } = useMe();
  const [skill, setSkill] = useState(ANY);
  const pages = usePages();
  const { cursor } = pages;
  const query = { state: "open", skill, cursor };
  const list = useResource<Page>(`open:${skill}:${cursor ?? ""}`, () => readPublic<Page>("jobs/list.php", query), {
    everySeconds: 30,
  });
  return (
    <section aria-labelledby="open-tasks">
      <h2 id="open-tasks" className="font-semibold text-21">
        Open in public
      </h2>
      <div className="my-3">
        <label htmlFor="open-skill" className="block text-13 text-muted">
          Skill
        </label>
        <select
          id="open-skill"
          value={skill}
          onChange={(event) => {
            setSkill(event.currentTarget.value);
            pages.first();
          }}
          className="h-10 border-edge border-b bg-paper text-15 hover:border-ink"
        >
          <option value={ANY}>Any skill</option>
          {me?.identity.skills.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </div>
      <Freshness reading={list} />
      <TaskRows tasks={list.body?.tasks} empty="No open task is like that." />
      <PageSteps pages={pages} next={list.body?.next_cursor ?? null} />
    </section>
  );
}
