import type { ReactNode } from "react";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { Copyable } from "#components/copyable.tsx";
import { RehearsalNote } from "#components/mode-badge.tsx";
import { ContextPart, Page } from "#components/shell/page.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { Assurances } from "../connection/connect.tsx";
import { disconnect, useConnection } from "../connection/connection.ts";
import { IdleWarning } from "../connection/idle-warning.tsx";
import { SERVICE } from "../frame/places.ts";
import { HealthLine } from "../overview/health-line.tsx";
import { useMe } from "../overview/me.ts";
import { useRehearsal } from "./installation.ts";
import type { View } from "./places.ts";
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
