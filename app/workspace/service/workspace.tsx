"use client";

import { usePathname } from "next/navigation";
import { Connect } from "./connection/connect.tsx";
import { useConnection } from "./connection/connection.ts";
import { Frame } from "./frame/frame.tsx";
import { Rehearsal } from "./frame/installation.ts";
import { placeOf } from "./frame/view-link.tsx";
import { Inbox } from "./inbox/inbox.tsx";
import { Offers } from "./offers/offers.tsx";
import { Overview } from "./overview/overview.tsx";
import { Settlements } from "./settlements/settlements.tsx";
import { TaskView } from "./task/task-view.tsx";
import { NewTask } from "./tasks/new-task.tsx";
import { Tasks } from "./tasks/tasks.tsx";
import { WebhookView } from "./webhook/webhook-view.tsx";

/** The operator's workspace: the form to connect, then the view of the current path. */
export function ServiceWorkspace({ rehearsal }: { rehearsal: boolean }) {
  const connection = useConnection();
  const place = placeOf(usePathname()) ?? { view: "overview" };
  if (!connection.open) return <Connect ended={connection} />;
  return (
    <Rehearsal value={rehearsal}>
      <Frame key={connection.publicId} place={place} warned={connection.warned}>
        {place.view === "overview" ? <Overview /> : null}
        {place.view === "offers" ? <Offers /> : null}
        {place.view === "inbox" ? <Inbox /> : null}
        {place.view === "tasks" ? <Tasks /> : null}
        {place.view === "new" ? <NewTask /> : null}
        {place.view === "settlements" ? <Settlements /> : null}
        {place.view === "webhook" ? <WebhookView /> : null}
        {place.view === "task" ? <TaskView key={place.taskId} taskId={place.taskId} /> : null}
      </Frame>
    </Rehearsal>
  );
}
