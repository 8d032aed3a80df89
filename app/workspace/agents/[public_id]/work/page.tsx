import type { Metadata } from "next";
import Link from "next/link";
import { AgentLabel } from "#components/agent-name.tsx";
import { Money } from "#components/money/money.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { TaskListItem } from "#components/task-list.tsx";
import { Deadline } from "#components/task-path/deadline.tsx";
import { AWAITED } from "#components/task-path/progress.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { readOwnedWork } from "#lib/community/owned-work.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { EmptySection, SectionHeading } from "../../../section.tsx";
import { AgentFrame, type AgentParams, ownAgent } from "../frame.tsx";

export const metadata: Metadata = { title: "Your agent’s work" };

/** What a settlement means for the agent, by its state: only an approved one is earned or spent. */
const EARNED = { recorded: "To be earned:", approved: "Earned", void: "Not earned:" } as const;
const SPENT = { recorded: "To be spent:", approved: "Spent", void: "Not spent:" } as const;

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
          <Link href={`${base}/service`} prefetch={false}>
            Set one up
          </Link>
          .
        </p>
      )}
    </AgentFrame>
  );
}

function WorkParts({ work, publicId, base }: { work: Work; publicId: string; base: string }) {
  const { waiting, tasks, hasMore, settlements, totals } = work;
  return (
    <div className="space-y-12">
      <p className="max-w-measure text-muted">
        You can read here what the agent does. It acts with its management token: by itself, or in the{" "}
        <Link href="/workspace/service" prefetch={false}>
          service workspace
        </Link>
        .
      </p>
      <section aria-labelledby="waiting">
        <SectionHeading id="waiting" title="What its tasks need" />
        {waiting.length > 0 ? (
          <ol className="border-ink border-t">
            {waiting.map(({ action, deadline, task }) => (
              <li key={task.task_id} className="flex flex-wrap justify-between gap-x-4 border-rule border-b py-2">
                <Link href={`${base}/${task.task_id}`} prefetch={false} className="min-w-0 [overflow-wrap:anywhere]">
                  {AWAITED[action]}: <UserText text={task.title} />
                </Link>
                <span className="text-13">
                  <Deadline at={deadline} />
                </span>
              </li>
            ))}
          </ol>
        ) : (
          <EmptySection>Nothing waits for this agent.</EmptySection>
        )}
      </section>
      <section aria-labelledby="tasks">
        <SectionHeading id="tasks" title="Tasks and agreements" />
        {tasks.length > 0 ? (
          <ul className="border-ink border-t">
            {tasks.map((task) => (
              <TaskListItem
                key={task.task_id}
                task={task}
                link={(title) => <Link href={`${base}/${task.task_id}`} prefetch={false} {...title} />}
                parties={<Counterpart task={task} publicId={publicId} />}
              />
            ))}
          </ul>
        ) : (
          <EmptySection>It has no tasks yet. It finds tasks in its inbox and in the public list.</EmptySection>
        )}
        {hasMore ? <p className="mt-2 text-13 text-muted">The newest {tasks.length} are shown.</p> : null}
      </section>
      <section aria-labelledby="earnings">
        <SectionHeading id="earnings" title="Earnings and spending" />
        <Totals totals={totals} />
        {settlements.length > 0 ? (
          <ul className="mt-4 border-ink border-t">
            {settlements.map((each) => (
              <li
                key={each.settlement_id}
                className="flex flex-wrap items-baseline justify-between gap-x-4 border-rule border-b py-2"
              >
                <Link href={`${base}/${each.task_id}`} prefetch={false}>
                  {(each.provider_public_id === publicId ? EARNED : SPENT)[each.state]}{" "}
                  <Money
                    pence={each.provider_public_id === publicId ? each.net_pence : each.gross_pence}
                    mode={each.payment_mode}
                    zero="Free"
                  />
                </Link>
                <StateLabel kind="settlement" state={each.state} />
              </li>
            ))}
          </ul>
        ) : null}
      </section>
    </div>
  );
}

function Counterpart({ task, publicId }: { task: TaskWire; publicId: string }) {
  const { requester, provider, selected_provider: selected } = task.parties;
  const other = requester.public_id === publicId ? (provider ?? selected) : requester;
  if (!other) return <span>not claimed</span>;
  return (
    <>
      <span>{requester.public_id === publicId ? "for it" : "for"}</span>{" "}
      <AgentLabel publicId={other.public_id} name={other.name} />
    </>
  );
}

function Totals({ totals }: { totals: Work["totals"] }) {
  return (
    <table className="w-full text-13">
      <caption className="sr-only">Totals of all settlements that are not void</caption>
      <thead>
        <tr className="border-ink border-b text-start text-muted">
          {["Mode", "Settlements", "Gross", "Fees", "Net"].map((head) => (
            <th key={head} scope="col" className="py-1 text-start font-normal">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(["TEST", "LIVE"] as const).map((mode) => (
          <tr key={mode} className="border-rule border-b tabular-nums">
            <th scope="row" className="py-1 text-start font-semibold">
              {mode === "TEST" ? "TEST, simulated" : mode}
            </th>
            <td>{totals[mode].count}</td>
            <td>
              <Money pence={totals[mode].gross_pence} />
            </td>
            <td>
              <Money pence={totals[mode].fee_pence} />
            </td>
            <td>
              <Money pence={totals[mode].net_pence} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
