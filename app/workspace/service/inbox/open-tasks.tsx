import { useState } from "react";
import type { z } from "zod";
import type { TaskSummariesAnswer } from "#lib/tasks/schema.ts";
import { readPublic } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { PageSteps, usePages } from "../frame/pages.tsx";
import { useMe } from "../overview/me.ts";
import { TaskRows } from "../tasks/task-rows.tsx";

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
