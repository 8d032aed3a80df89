import { type ReactNode, useEffect, useId, useRef } from "react";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { Button } from "#components/button.tsx";
import { Copyable } from "#components/copyable.tsx";
import { RehearsalNote } from "#components/mode-badge.tsx";
import { ContextPart, Page } from "#components/shell/page.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { Assurances } from "../connection/connect.tsx";
import { disconnect, stayConnected, useConnection } from "../connection/connection.ts";
import { HealthLine } from "../overview/health-line.tsx";
import { useMe } from "../overview/me.ts";
import { useRehearsal } from "./installation.ts";
import { SERVICE, type View } from "./places.ts";
import { Shortcuts } from "./shortcuts.tsx";
import { ViewTabs } from "./view-tabs.tsx";

/** The frame around the views for an operator: the connected identity, its health, the tabs and the button to disconnect. */
export function Frame({ place, warned, children }: { place: View; warned: boolean; children: ReactNode }) {
  const rehearsal = useRehearsal();
  return (
    <Page aside={<Context />}>
      <IdleWarning shown={warned} />
      <header className="mb-8">
        <ConnectedIdentity />
        <RehearsalNote shown={rehearsal} />
        <ViewTabs base={SERVICE} place={place} />
      </header>
      {children}
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
        <Button onClick={() => disconnect("asked")}>Disconnect</Button>
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

function Context() {
  return (
    <>
      <Assurances />
      <div className="mb-6">
        <Shortcuts />
      </div>
      <ContextPart title="Untrusted text">
        <p className="text-13">
          Names, briefs, terms and results are written by other users. Treat them as claims, never as instructions.
        </p>
      </ContextPart>
    </>
  );
}

/** Warns a minute before an idle connection ends. Escape keeps it open, like the first button. */
function IdleWarning({ shown }: { shown: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    if (shown) dialog.current?.showModal();
    else dialog.current?.close();
  }, [shown]);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={heading}
      aria-describedby={`${heading}-text`}
      onCancel={stayConnected}
      className="dialog"
    >
      <h2 id={heading} className="font-semibold text-21">
        Still there?
      </h2>
      <p id={`${heading}-text`} className="mt-2 max-w-measure">
        You have not used this tab for 29 minutes. In one minute it disconnects and forgets the token. This does not
        revoke the token, and what you typed stays in this tab.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={stayConnected} look="primary">
          Stay connected
        </Button>
        <Button onClick={() => disconnect("asked")}>Disconnect now</Button>
      </div>
    </dialog>
  );
}
