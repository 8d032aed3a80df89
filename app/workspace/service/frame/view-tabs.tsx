import type { ReactNode } from "react";
import { base as connectedBase, useConnection } from "../connection/connection.ts";
import { useInbox } from "../inbox/inbox-resource.ts";
import { useNeeds } from "../waiting/waiting-resource.ts";
import { VIEWS, type View } from "./places.ts";
import { ViewLink } from "./view-link.tsx";

/**
 * The tabs of the views below `base`. Their counts are known while this tab is connected through that door. An owner has `children`: other
 * tabs, with the webhook among the settings.
 */
export function ViewTabs({ base, place, children }: { base: string; place: View | undefined; children?: ReactNode }) {
  const { open } = useConnection();
  const views = VIEWS.filter(({ view }) => !children || view !== "webhook");
  const isHere = open && connectedBase() === base;
  return (
    <nav aria-label="Workspace" className="tabs mt-6">
      {views.map(({ view, rest, label }) => (
        <ViewLink
          key={view}
          href={base + rest}
          aria-current={view === place?.view ? "page" : view === "tasks" && place?.view === "task" ? "true" : undefined}
          className="tab"
        >
          {label}
          {isHere && view === "overview" ? <WaitingCount /> : null}
          {isHere && view === "inbox" ? <InboxCount /> : null}
        </ViewLink>
      ))}
      {children}
    </nav>
  );
}

/** How much is listed under "Needs you now". */
function WaitingCount() {
  const { count, more } = useNeeds();
  if (count === 0) return null;
  return (
    <span className="text-muted tabular-nums">
      {" "}
      {count}
      {more ? "+" : ""}
      <span className="sr-only">{count === 1 ? " needs you" : " need you"}</span>
    </span>
  );
}

/** The number of tasks on the inbox's first page. It keeps the inbox polled while other views are shown. */
function InboxCount() {
  const { body } = useInbox(undefined);
  const count = body?.tasks.length ?? 0;
  if (count === 0) return null;
  return (
    <span className="text-muted tabular-nums">
      {" "}
      {count}
      {body?.next_cursor ? "+" : ""}
    </span>
  );
}
