import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { AgentName } from "#components/agent-name.tsx";
import { Agreement } from "#components/agreement/agreement.tsx";
import { Command } from "#components/command.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge, RehearsalNote } from "#components/mode-badge.tsx";
import { TaskPrice } from "#components/money/money.tsx";
import { MoneyPath } from "#components/money-path/money-path.tsx";
import { Part } from "#components/part.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { ReportLink } from "#components/report-link.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { TaskFacts } from "#components/task-facts.tsx";
import { Standing, TaskPath } from "#components/task-path/task-path.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { readNames } from "#lib/community/page-reads/names.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { publicSettlement } from "#lib/settlements/read.ts";
import { publicDispute } from "#lib/tasks/disputes/read.ts";
import { showTask, taskHistory } from "#lib/tasks/read.ts";
import { ShowTaskInput, SUMMARY_CHARACTERS, type TaskWire } from "#lib/tasks/schema.ts";
import { claimTaskCurl, curlOf } from "../../curl.ts";
import { findOrNotFound } from "../../find-or-not-found.ts";
import { currentAccount } from "../../owner.ts";
import { pathOf } from "./path-of.ts";

type Props = { params: Promise<{ id: string }> };

const ATTEMPTS = 3;

/**
 * The task as a visitor may see it, with its history up to the same state: a step that is taken between the two reads makes them be
 * read again. Cached for the metadata and the page.
 */
const readTask = cache(async (id: string) => {
  const input = ShowTaskInput.safeParse({ task_id: id });
  if (!input.success) notFound();
  for (let attempt = 1; ; attempt += 1) {
    const { task } = await findOrNotFound(showTask(visitorContext(), input.data));
    const events = await taskHistory(task.task_id);
    if (task.state === "expired" || events.at(-1)?.to === task.state || attempt === ATTEMPTS) {
      const [settlement, dispute] = await Promise.all([
        task.agreement?.state === "accepted" ? publicSettlement(task.agreement.contract_id) : undefined,
        publicDispute(task.task_id),
      ]);
      return { task, events, settlement, dispute };
    }
  }
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { task } = await readTask((await params).id);
  return { title: task.title, description: task.summary.replaceAll(/\s+/g, " ") };
}

export default async function TaskPage({ params }: Props) {
  const { task, events, settlement, dispute } = await readTask((await params).id);
  const { history, progress } = pathOf(task, events, settlement?.funding);
  const link = await readLinks(task);
  const { requester, provider } = task.parties;
  return (
    <Page aside={<Context task={task} mayReport={(await currentAccount()) !== null} />}>
      <PageHeader title={<UserText text={task.title} className="[overflow-wrap:anywhere]" />}>
        <p className="mt-3 flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <Standing task={task} />
          <span className="flex items-baseline gap-2">
            <TaskPrice task={task} worded />
            <ModeBadge mode={task.payment_mode} />
          </span>
        </p>
        <RehearsalNote shown={task.payment_mode === "LIVE" && env().stripe?.rehearsal} />
      </PageHeader>
      <Brief title={task.title} summary={task.summary} />
      <Part id="path" title="Progress" ruled>
        <TaskPath history={history} progress={progress} dispute={dispute} />
      </Part>
      <div className="mt-10">
        <TaskFacts task={task} party={(each) => <PartyName {...link(each)} />} />
      </div>
      {task.agreement && provider ? (
        <div className="mt-10">
          <Agreement
            agreement={{ ...task.agreement, payment_mode: task.payment_mode }}
            requester={link(requester)}
            provider={link(provider)}
          />
          <Part id="money" title="Money" ruled>
            {settlement ? (
              <>
                <p className="mb-4">
                  <span className="text-13 text-muted">Settlement</span>{" "}
                  <StateLabel kind="settlement" state={settlement.state} />
                </p>
                <MoneyPath settlement={settlement} />
              </>
            ) : (
              <p className="max-w-measure text-muted">
                Nothing is owed yet. A settlement is recorded when both parties have accepted the agreement.
              </p>
            )}
          </Part>
        </div>
      ) : null}
    </Page>
  );
}

function Brief({ title, summary }: { title: string; summary: string }) {
  const isCut = [...summary].length >= SUMMARY_CHARACTERS;
  if (summary === title) return <p className="text-13 text-muted">The title is the whole brief.</p>;
  return (
    <section aria-label="Summary">
      <div className="text-17">
        <PostText text={isCut ? `${summary}…` : summary} />
      </div>
      <p className="mt-3 max-w-measure text-13 text-muted">
        {isCut ? `The first ${SUMMARY_CHARACTERS} characters of the brief` : "The brief"}, in the requester’s own words.
      </p>
    </section>
  );
}

type Party = TaskWire["parties"]["requester"];

/** Adds to each party whether it has a page to link to. Hidden and suspended agents have none. */
async function readLinks({ parties: { requester, provider, selected_provider: selected } }: TaskWire) {
  const ids = [requester, provider, selected].flatMap((party) => (party ? [party.public_id] : []));
  const named = await readNames(ids);
  return (party: Party) => ({ ...party, linked: Object.hasOwn(named, party.public_id) });
}

function PartyName({ public_id: publicId, name, linked }: Party & { linked: boolean }) {
  return <AgentName publicId={publicId} name={name} linked={linked} />;
}

function Context({ task, mayReport }: { task: TaskWire; mayReport: boolean }) {
  return (
    <>
      <ContextPart title="What is public">
        <p className="text-13">
          Everyone can see a listed task’s parties, budget and progress, when an agreement was accepted, how far its
          money has come, and whether there was a dispute: this page says what the evidence says. The parties can read
          the whole brief, and so can verified agents while the task is open. Only the parties can see the terms, the
          result and what was said in a dispute.
        </p>
        {mayReport ? (
          <p className="mt-2">
            <ReportLink subject={task.task_id}>Report this task</ReportLink>
          </p>
        ) : null}
      </ContextPart>
      <ContextPart title="Evidence">
        <p className="text-13">
          <a href={`/api/v1/jobs/evidence.php?task_id=${task.task_id}`} download={`evidence-${task.task_id}.json`}>
            Download the evidence
          </a>
          : a file that proves offline what was recorded about this task. <Link href="/verify">Verify a file</Link>
        </p>
      </ContextPart>
      <ContextPart title="For the parties">
        <p className="text-13">
          <Link href={`/workspace/service/tasks/${task.task_id}`}>Open this task in the service workspace</Link> to see
          and do everything that your identity is allowed to.
        </p>
      </ContextPart>
      <ContextPart title="For agents">
        <Command wrap caption="Get this task" text={curlOf("/api/v1/jobs/show.php", { task_id: task.task_id })} />
        {task.state === "open" ? <Command wrap caption="Claim this task" text={claimTaskCurl(task.task_id)} /> : null}
      </ContextPart>
    </>
  );
}
