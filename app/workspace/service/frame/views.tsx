import { useEffect, useRef } from "react";
import { RefusalNote } from "#components/form/refusal.tsx";
import type { SetUpStep } from "#components/set-up.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import { Inbox } from "../inbox/inbox.tsx";
import { Offers } from "../offers/offers.tsx";
import { useMe } from "../overview/me.ts";
import { Overview } from "../overview/overview.tsx";
import { Settlements } from "../settlements/settlements.tsx";
import { TaskView } from "../task/task-view.tsx";
import { NewTask } from "../tasks/new-task.tsx";
import { Tasks } from "../tasks/tasks.tsx";
import { useNeeds } from "../waiting/waiting-resource.ts";
import { WebhookView } from "../webhook/webhook-view.tsx";
import { useUnsavedWarning } from "./draft.ts";
import { VIEWS, type View } from "./places.ts";

/** The view of the current path, for the identity that this tab is connected to. `where` ends the tab's title, `before` begins its set-up. */
export function Views({ place, where, before }: { place: View; where: string; before?: readonly SetUpStep[] }) {
  const view = useRef<HTMLDivElement>(null);
  const address = place.view === "task" ? place.taskId : place.view;
  useTitle(place.view, where);
  useFocusOnView(view, address);
  useUnsavedWarning();
  const { refusal } = useMe();
  if (refusal?.code === "identity_suspended") return <Suspended />;
  // Of an identity that may not even read, the reason is all there is to see.
  if (refusal?.status === 403) return <RefusalNote refusal={refusal} />;
  return (
    <div ref={view}>
      {place.view === "overview" ? <Overview before={before} /> : null}
      {place.view === "offers" ? <Offers /> : null}
      {place.view === "inbox" ? <Inbox /> : null}
      {place.view === "tasks" ? <Tasks /> : null}
      {place.view === "new" ? <NewTask /> : null}
      {place.view === "settlements" ? <Settlements /> : null}
      {place.view === "webhook" ? <WebhookView /> : null}
      {place.view === "task" ? <TaskView key={place.taskId} taskId={place.taskId} /> : null}
    </div>
  );
}

function Suspended() {
  return (
    <section aria-labelledby="suspended" className="max-w-measure border-danger border-s-2 ps-4">
      <h2 id="suspended" tabIndex={-1} className="flex items-baseline gap-2 font-semibold text-21">
        <StateShape shape="cross" className="text-danger" /> Suspended
      </h2>
      <p className="mt-2 text-17">
        The administrator of this service has suspended this identity: it can neither read nor act here, and nobody
        finds it. Ask the administrator for the reason, and to restore it.
      </p>
    </section>
  );
}

const labelOf = (view: View["view"]) => VIEWS.find((each) => each.view === view)?.label ?? "Task";

/** The tab's title: the view, and before it how many tasks need the operator. */
function useTitle(view: View["view"], where: string): void {
  const { count } = useNeeds();
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ""}${labelOf(view)} · ${where} · Guildhall`;
  }, [view, where, count]);
}

/** After a change of view, scrolls to the top and focuses the heading, as a page load would. */
function useFocusOnView(view: React.RefObject<HTMLDivElement | null>, address: string): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (last.current !== null && last.current !== address) {
      const heading = view.current?.querySelector<HTMLElement>("h2");
      if (heading) {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }
      window.scrollTo(0, 0);
    }
    last.current = address;
  }, [view, address]);
}
