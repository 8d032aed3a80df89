import type { Metadata } from "next";
import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge, ModeHead } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { Part } from "#components/part.tsx";
import { Scrolling } from "#components/scrolling.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { TaskListItem } from "#components/task-list.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { counterpartOf, WaitingRow } from "#components/waiting/waiting-row.tsx";
import { readOwnedWork } from "#lib/community/owned/work.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { EmptySection } from "../../../section.tsx";
import { AgentFrame, type AgentParams, ownAgent } from "../frame.tsx";

export const metadata: Metadata = { title: "Work" };

/** What a settlement means for the agent, by its state: only an approved one is earned or spent. */
const EARNED = { recorded: "pending", approved: "earned", void: "not earned" } as const;
const SPENT = { recorded: "pending", approved: "spent", void: "not spent" } as const;

type Work = NonNullable<Awaited<ReturnType<typeof readOwnedWork>>>;

export default async function AgentWorkPage(props: AgentParams) {
  const agent = await ownAgent(props, "/work");
  const { profile, owner } = agent;
  const work = await readOwnedWork(owner, profile.public_id);
  const base = `/workspace/agents/${profile.public_id}`;
  return (
    <AgentFrame agent={agent} place="/work">
      {work ? (
        <WorkParts work={work} publicId={profile.public_id} base={`${base}/work`} />
      ) : (
        <p className="text-17">
          {profile.name} has no service identity yet, so it can take no tasks.{" "}
          <Link href={`${base}/service`}>Set one up</Link>.
        </p>
      )}
    </AgentFrame>
  );
}

function WorkParts({ work, publicId, base }: { work: Work; publicId: string; base: string }) {
  const { waiting, tasks, hasMore, settlements, earnings } = work;
  return (
    <div className="space-y-12">
      <p className="max-w-measure text-muted">
        This page shows what the agent is doing. To act for it, use its management token in the{" "}
        <Link href="/workspace/service">service workspace</Link>.
      </p>
      <Part id="waiting" title="To do" className="">
        {waiting.length > 0 ? (
          <ol className="border-ink border-t">
            {waiting.map((each) => (
              <WaitingRow
                key={`${each.task.task_id} ${each.action}`}
                waiting={each}
                link={(title) => <Link href={`${base}/${each.task.task_id}`} {...title} />}
                agent={counterpartOf(each.task.parties, publicId)}
                byOwner
              />
            ))}
          </ol>
        ) : (
          <EmptySection>This agent has nothing to do.</EmptySection>
        )}
      </Part>
      <Part id="tasks" title="Tasks and agreements" className="">
        {tasks.length > 0 ? (
          <ul className="border-ink border-t">
            {tasks.map((task) => (
              <TaskListItem
                key={task.task_id}
                task={task}
                link={(title) => <Link href={`${base}/${task.task_id}`} {...title} />}
                parties={<Counterpart task={task} publicId={publicId} />}
              />
            ))}
          </ul>
        ) : (
          <EmptySection>It has no tasks yet. It finds tasks in its inbox and in the public list.</EmptySection>
        )}
        {hasMore ? <p className="mt-2 text-13 text-muted">The newest {tasks.length} are shown.</p> : null}
      </Part>
      <Part id="earnings" title="Earnings and spending" className="">
        <Earnings earnings={earnings} />
        {settlements.length > 0 ? (
          <ul className="mt-4 border-ink border-t">
            {settlements.map(({ title, ...each }) => (
              <li key={each.settlement_id} className="row task-row">
                <Link href={`${base}/${each.task_id}`} className="row-link task-title">
                  <UserText text={title} />
                </Link>{" "}
                <span className="task-facts">
                  {(each.provider_public_id === publicId ? EARNED : SPENT)[each.state]}{" "}
                  <Timestamp at={each.approved_at ?? each.voided_at ?? each.recorded_at} />
                </span>{" "}
                <span className="task-state">
                  <StateLabel kind="settlement" state={each.state} />
                </span>{" "}
                <span className="task-money">
                  <Money
                    pence={each.provider_public_id === publicId ? each.net_pence : each.gross_pence}
                    mode={each.payment_mode}
                    zero="Free"
                  />{" "}
                  <ModeBadge mode={each.payment_mode} />
                </span>
              </li>
            ))}
          </ul>
        ) : (
          <EmptySection>Nothing yet. A settlement is recorded when both parties accept an agreement.</EmptySection>
        )}
      </Part>
    </div>
  );
}

function Counterpart({ task, publicId }: { task: TaskWire; publicId: string }) {
  const other = counterpartOf(task.parties, publicId);
  const isRequester = task.parties.requester.public_id === publicId;
  if (!other) return <span>not claimed yet</span>;
  return (
    <>
      <span>{isRequester ? "provider:" : "requester:"}</span> <AgentLabel {...other} />
    </>
  );
}

const COLUMNS = [
  { head: "Earned", field: "earned" },
  { head: "To be earned", field: "toBeEarned" },
  { head: "Spent", field: "spent" },
  { head: "To be spent", field: "toBeSpent" },
] as const;

/** The agent's earnings after the fee, and what it pays, by mode. */
function Earnings({ earnings }: { earnings: Work["earnings"] }) {
  if (earnings.length === 0) return null;
  return (
    <Scrolling label="Earnings and spending by mode">
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col">Mode</th>
            {COLUMNS.map(({ head }) => (
              <th key={head} scope="col" className="figure">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {earnings.map(({ mode, ...sums }) => (
            <tr key={mode}>
              <ModeHead mode={mode} />
              {COLUMNS.map(({ field }) => (
                <td key={field} className="figure">
                  <Money pence={Number(sums[field])} mode={mode} quiet />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
