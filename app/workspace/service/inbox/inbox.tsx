import { Freshness } from "../frame/freshness.tsx";
import { PageSteps, usePages } from "../frame/pages.tsx";
import { TaskRows } from "../tasks/task-rows.tsx";
import { ByTaskId } from "./by-task-id.tsx";
import { useInbox } from "./inbox-pages.ts";
import { OpenTasks } from "./open-tasks.tsx";

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
