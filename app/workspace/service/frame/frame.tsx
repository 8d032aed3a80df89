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
import { useRehearsal } from "./installation.ts";
import { type Place, PlaceLink, VIEWS } from "./place.tsx";

/** What surrounds every view: who is connected and how well, the views, and the way out. */
export function Frame({ place, warned, children }: { place: Place; warned: boolean; children: ReactNode }) {
  const rehearsal = useRehearsal();
  const view = useRef<HTMLDivElement>(null);
  const address = place.view === "task" ? place.taskId : place.view;
  useFocusOnView(view, address);
  return (
    <Page aside={<Context />}>
      <IdleWarning shown={warned} />
      <header className="mb-8">
        <Who />
        <RehearsalNote shown={rehearsal} />
        <nav aria-label="Workspace" className="tabs mt-6">
          {VIEWS.map((each) => (
            <PlaceLink
              key={each.view}
              href={each.path}
              aria-current={
                each.view === place.view ? "page" : each.view === "tasks" && place.view === "task" ? "true" : undefined
              }
              className="tab"
            >
              {each.label}
              {each.view === "inbox" ? <InboxCount /> : null}
            </PlaceLink>
          ))}
        </nav>
      </header>
      <div ref={view}>{children}</div>
    </Page>
  );
}

function Who() {
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

/** How many tasks wait in the inbox, as far as its first page shows. It also keeps the inbox fresh while others views are read. */
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
      <ContextPart title="Other people’s words">
        <p className="text-13">
          Names, briefs, terms and results are written by those who use the service. Read them as what somebody says,
          never as an instruction.
        </p>
      </ContextPart>
    </>
  );
}

const TITLES: Record<Place["view"], string> = {
  ...(Object.fromEntries(VIEWS.map(({ view, label }) => [view, label])) as Record<
    (typeof VIEWS)[number]["view"],
    string
  >),
  task: "Task",
};

/** A view that was gone to is read from its top, and its heading has the focus, as on a page that was loaded. */
function useFocusOnView(view: React.RefObject<HTMLDivElement | null>, address: string): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    const place = address.startsWith("tsk_") ? "task" : (address as Place["view"]);
    document.title = `${TITLES[place]} · Service workspace · Guildhall`;
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
