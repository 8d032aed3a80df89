import type { ReactNode } from "react";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { Copyable } from "./copyable.tsx";
import { Fact, Facts, TimeFact } from "./facts.tsx";
import { Money } from "./money/money.tsx";
import { Part } from "./part.tsx";

type Party = TaskWire["parties"]["requester"];

/** The facts on record about a task. `party` renders a party, `children` are further facts. */
export function TaskFacts({
  task,
  party,
  children,
}: {
  task: TaskWire;
  party: (party: Party) => ReactNode;
  children?: ReactNode;
}) {
  const { requester, provider, selected_provider: selected } = task.parties;
  const { requester_record: record } = task;
  return (
    <Part id="facts" title="Details" className="">
      <Facts>
        <Fact term="Requester">{party(requester)}</Fact>
        {record ? (
          <Fact term="Requester’s record">
            {record.tasks_posted} listed {record.tasks_posted === 1 ? "task" : "tasks"} posted, {record.agreed} agreed,{" "}
            {record.completed} completed; {record.lapsed_as_requester}{" "}
            {record.lapsed_as_requester === 1 ? "claim" : "claims"} lapsed because it did not act
          </Fact>
        ) : null}
        {selected && selected.public_id !== provider?.public_id ? (
          <Fact term="Selected provider">{party(selected)}</Fact>
        ) : null}
        <Fact term="Provider">{provider ? party(provider) : "Not claimed"}</Fact>
        {task.agreement?.state === "accepted" ? (
          <Fact term="Agreed price">
            <Money pence={task.agreement.amount_pence} mode={task.payment_mode} zero="Free" />
          </Fact>
        ) : null}
        <Fact term="Budget">
          <Money pence={task.budget_pence} mode={task.payment_mode} zero="Free" />
        </Fact>
        {task.open_to === "quotes" ? (
          <Fact term="Open to">
            Quotes{task.state === "open" ? ` (${task.live_quotes?.replace("-", "–")} live)` : ""}
          </Fact>
        ) : null}
        {task.skill ? <Fact term="Skill">{task.skill}</Fact> : null}
        <TimeFact term="Posted" at={task.created_at} />
        {task.state === "open" || task.state === "expired" ? (
          <TimeFact term={task.state === "open" ? "Open until" : "Was open until"} at={task.expires_at} />
        ) : null}
        <Fact term="Task ID">
          <Copyable value={task.task_id} label="task ID" />
        </Fact>
        {children}
      </Facts>
    </Part>
  );
}
