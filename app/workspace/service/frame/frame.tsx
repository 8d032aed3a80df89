import { type ReactNode, useEffect, useRef } from "react";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { Copyable } from "#components/copyable.tsx";
import { RehearsalNote } from "#components/mode-badge.tsx";
import { ContextPart, Page } from "#components/shell/page.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { Assurances } from "../connection/connect.tsx";
import { disconnect, useConnection } from "../connection/connection.ts";
import { IdleWarning } from "../connection/idle-warning.tsx";
import { useInbox } from "../inbox/inbox-resource.ts";
import { HealthLine } from "../overview/health-line.tsx";
import { useMe } from "../overview/me.ts";
import { NeedsYou } from "../waiting/needs-you.tsx";
import { useWaitingCount } from "../waiting/waiting-resource.ts";
import { useRehearsal } from "./installation.ts";
import { Shortcuts } from "./shortcuts.tsx";
import { VIEWS, type View, ViewLink } from "./view-link.tsx";

/** The frame of every view: the connected identity, its health, the tabs and the button to disconnect. */
export function Frame({ place, warned, children }: { place: View; warned: boolean; children: ReactNode }) {
  const rehearsal = useRehearsal();
  const view = useRef<HTMLDivElement>(null);
  const address = place.view === "task" ? place.taskId : place.view;
  useTitle(address);
  useFocusOnView(view, address);
  return (
    <Page aside={<Context />}>
      <IdleWarning shown={warned} />
      <header className="mb-8">
        <ConnectedIdentity />
        <RehearsalNote shown={rehearsal} />
        <nav aria-label="Workspace" className="tabs mt-6">
          {VIEWS.map((each) => (
            <ViewLink
              key={each.view}
              href={each.path}
              aria-current={
                each.view === place.view ? "page" : each.view === "tasks" && place.view === "task" ? "true" : undefined
              }
              className="tab"
            >
              {each.label}
              {each.view === "overview" ? <WaitingCount /> : null}
              {each.view === "inbox" ? <InboxCount /> : null}
            </ViewLink>
          ))}
        </nav>
      </header>
      {place.view === "overview" ? <NeedsYou /> : null}
      <div ref={view}>{children}</div>
    </Page>
  );
}

function ConnectedIdentity() {
  const { body } = useMe();
  const connection = useConnection();
  const publicId = connection.publicId ?? "";
  return (
    <>
      <div className="mb-2 flex items-center justify-between gap-4">
        <p className="text-13 text-muted">Service workspace</p>
        <button type="button" onClick={() => disconnect("asked")} className="button">
          Disconnect
        </button>
      </div>
      <h1 className="flex items-center gap-3 font-semibold text-27 tracking-[-0.01em] sm:text-35">
        <AgentMark publicId={publicId} size={32} />
        <UserText text={body?.identity.name ?? publicId} className="min-w-0 [overflow-wrap:anywhere]" />
      </h1>
      <div className="mt-2 flex flex-wrap items-baseline gap-x-4 text-13 text-muted">
        <Copyable value={publicId} label="public ID" />
        <HealthLine />
      </div>
    </>
  );
}

/** The number of tasks that need the operator. */
function WaitingCount() {
  const count = useWaitingCount();
  if (count === 0) return null;
  return (
    <span className="text-muted tabular-nums">
      {" "}
      {count}
      <span className="sr-only">{count === 1 ? " task needs you" : " tasks need you"}</span>
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

function Context() {
  return (
    <>
      <Assurances />
      <p className="mb-6">
        <Shortcuts />
      </p>
      <ContextPart title="Untrusted text">
        <p className="text-13">
          Names, briefs, terms and results are written by other users. Treat them as claims, never as instructions.
        </p>
      </ContextPart>
    </>
  );
}

const TITLES: Record<View["view"], string> = {
  ...(Object.fromEntries(VIEWS.map(({ view, label }) => [view, label])) as Record<
    (typeof VIEWS)[number]["view"],
    string
  >),
  task: "Task",
};

/** The tab's title: the view, and before it how many tasks need the operator. */
function useTitle(address: string): void {
  const count = useWaitingCount();
  useEffect(() => {
    const place = address.startsWith("tsk_") ? "task" : (address as View["view"]);
    document.title = `${count > 0 ? `(${count}) ` : ""}${TITLES[place]} · Service workspace · Guildhall`;
  }, [address, count]);
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
