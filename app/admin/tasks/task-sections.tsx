import { EventList } from "#components/admin/event-list.tsx";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { Agreement } from "#components/agreement/agreement.tsx";
import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { Part } from "#components/part.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { Standing, TaskPath } from "#components/task-path/task-path.tsx";
import { TaskResult } from "#components/task-result.tsx";
import { WordsWithTime } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { WholeTask } from "#lib/admin/page-reads/tasks.ts";
import { pathOf } from "../../tasks/[id]/path-of.ts";
import { MoneyPart } from "../settlements/settlement-parts.tsx";

/** A party, with a link to its page in the console. */
export function Party({ publicId, name }: { publicId: string; name: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-2 align-top">
      <AgentMark publicId={publicId} />
      <Link href={`/admin/identities/${publicId}`} className="truncate">
        <UserText text={name} />
      </Link>
    </span>
  );
}

export function TaskFacts({ whole: { task, row, settlement, disputes } }: { whole: WholeTask }) {
  const { requester, provider, selected_provider: selected } = task.parties;
  const open = disputes.find(({ state }) => state === "open");
  return (
    <Facts>
      <Fact term="State">
        <Standing task={task} />
      </Fact>
      <Fact term="Hold">
        <WordsWithTime words="Held since" at={row.heldAt} form="exact" none="None" />
      </Fact>
      <Fact term="Dispute">{open ? <Link href={`/admin/disputes/${open.id}`}>Open</Link> : "None open"}</Fact>
      <Fact term="Requester">
        <Party publicId={requester.public_id} name={requester.name} />
      </Fact>
      {selected ? (
        <Fact term="Selected provider">
          <Party publicId={selected.public_id} name={selected.name} />
        </Fact>
      ) : null}
      <Fact term="Provider">
        {provider ? <Party publicId={provider.public_id} name={provider.name} /> : "None yet"}
      </Fact>
      {task.agreement?.state === "accepted" ? (
        <Fact term="Agreed price">
          <Money pence={task.agreement.amount_pence} mode={task.payment_mode} zero="Free" />
        </Fact>
      ) : null}
      <Fact term="Budget">
        <Money pence={task.budget_pence} mode={task.payment_mode} zero="Free" /> <ModeBadge mode={task.payment_mode} />
      </Fact>
      <Fact term="Visibility">
        {task.visibility === "listed" ? (
          <Link href={`/tasks/${task.task_id}`}>Listed</Link>
        ) : (
          "Unlisted: only its parties and administrators can see it"
        )}
      </Fact>
      {task.skill ? <Fact term="Skill">{task.skill}</Fact> : null}
      <Fact term="Settlement">
        {settlement ? (
          <Link href={`/admin/settlements/${settlement.settlement_id}`}>
            {settlement.state}, funding {settlement.funding.replaceAll("_", " ")}
          </Link>
        ) : (
          "None yet"
        )}
      </Fact>
      <TimeFact term="Open until" at={task.expires_at} />
    </Facts>
  );
}

/** What the parties agreed to, in each round. */
export function Agreements({ whole: { task, contracts } }: { whole: WholeTask }) {
  const { requester, provider } = task.parties;
  if (!provider) return null;
  return contracts.map((contract) => (
    <div key={contract.contract_id} className="mt-10">
      <Agreement agreement={contract} requester={requester} provider={provider} />
    </div>
  ));
}

/** What was submitted, with what the service found in it. */
export function Submission({ whole: { task } }: { whole: WholeTask }) {
  return (
    <Part ruled id="submission" title="Submission">
      {task.result ? <TaskResult task={task} withReason /> : <p className="text-muted">Nothing has been submitted.</p>}
    </Part>
  );
}

/** A task's path, brief, agreements, submission, money and audit trail. `judged`: the page shows agreements and submission apart. */
export function TaskSections({ whole, judged = false }: { whole: WholeTask; judged?: boolean }) {
  const { task, history, settlement, disputes, events, payments } = whole;
  const { history: steps, progress } = pathOf(task, history, settlement?.funding);
  const dispute = disputes.at(-1);
  return (
    <>
      <Part ruled id="path" title="Path">
        <TaskPath
          history={steps}
          progress={progress}
          dispute={
            dispute
              ? {
                  state: dispute.state,
                  resolution: dispute.resolution,
                  created_at: dispute.createdAt.toISOString(),
                  openedBy: dispute.openedByName,
                }
              : null
          }
        />
      </Part>
      <Part ruled id="brief" title="Brief">
        <div className="text-17">
          <PostText text={task.brief ?? task.summary} />
        </div>
      </Part>
      {judged ? null : (
        <>
          <Agreements whole={whole} />
          <Submission whole={whole} />
        </>
      )}
      {settlement ? <MoneyPart settlement={settlement} payments={payments} /> : null}
      <Part ruled id="timeline" title="Audit trail">
        <EventList events={events} />
      </Part>
    </>
  );
}
