import { Conversation } from "#components/conversation/conversation.tsx";
import { BothSides, Decision } from "#components/dispute/both-sides.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import type { AdminContext } from "#lib/admin/context.ts";
import { isOwnSubject } from "#lib/admin/own-subject.ts";
import { readDisputedConversation } from "#lib/admin/page-reads/conversations.ts";
import { findDispute, readStatements } from "#lib/admin/page-reads/disputes.ts";
import { readWholeTask } from "#lib/admin/page-reads/tasks.ts";
import { AdminPage } from "../../admin-page.tsx";
import { type SubjectProps, subjectPage } from "../../subject-page.tsx";
import { Agreements, Party, Submission, TaskFacts, TaskSections } from "../../tasks/task-sections.tsx";
import { ResolutionActs, resolutionWords } from "./resolution-acts.tsx";

async function findCase(disputeId: string, ctx: AdminContext) {
  const dispute = await findDispute(disputeId);
  if (!dispute) return undefined;
  const [said, messages, whole, own] = await Promise.all([
    readStatements(disputeId),
    readDisputedConversation(disputeId),
    readWholeTask(ctx, dispute.taskId),
    isOwnSubject(ctx, disputeId),
  ]);
  return whole && { dispute, said, messages, whole, own };
}

const { load, generateMetadata } = subjectPage(
  "dispute_id",
  "dsp",
  findCase,
  ({ dispute }) => `${plainLine(dispute.title)} · Disputes`,
);

export { generateMetadata };

export default async function DisputePage(props: SubjectProps) {
  const { dispute, said, messages, whole, own } = (await load(props)).found;
  const wire = {
    opened_by: dispute.openedBy,
    reason: dispute.reason,
    created_at: dispute.createdAt.toISOString(),
    state: dispute.state,
    resolution: dispute.resolution,
    resolution_reason: dispute.resolutionReason,
    resolved_at: dispute.resolvedAt?.toISOString() ?? null,
    statements: said.map(({ authorId, statement, createdAt }) => ({
      role: authorId === dispute.requesterId ? ("requester" as const) : ("provider" as const),
      public_id: authorId,
      statement,
      created_at: createdAt.toISOString(),
    })),
  };
  return (
    <AdminPage
      at="/admin/disputes"
      within
      title={<UserText text={dispute.title} />}
      marks={
        <>
          <StateLabel kind="dispute" state={dispute.state} />
          {dispute.resolution ? <span>{resolutionWords(dispute.resolution)}</span> : null}
        </>
      }
      id={{ value: dispute.id, label: "dispute ID" }}
    >
      <div className="desk">
        <div>
          <BothSides
            dispute={wire}
            requester={{ public_id: dispute.requesterId, name: dispute.requesterName }}
            provider={{ public_id: dispute.providerId ?? "", name: dispute.providerName ?? "The provider" }}
          >
            {(party) => <Party publicId={party.public_id} name={party.name} />}
          </BothSides>
          <Submission whole={whole} />
          {dispute.state === "open" ? (
            <Part ruled id="messages" title="What the parties wrote to each other">
              <Conversation
                messages={messages}
                nameOf={(id) => (id === dispute.requesterId ? dispute.requesterName : (dispute.providerName ?? id))}
              />
            </Part>
          ) : null}
          <Agreements whole={whole} />
        </div>
        <Part ruled id="acts" title="Decision" className="desk-decision">
          {/* Rendered in the same place before and after, so that the outcome of the act stays on the page. */}
          <ResolutionActs dispute={dispute} whole={whole} own={own} />
          {dispute.state === "resolved" ? (
            <div className="mt-4">
              <Decision dispute={wire} />
            </div>
          ) : null}
        </Part>
      </div>
      <Part ruled id="facts" title="Task">
        <p className="mb-3">
          <Link href={`/admin/tasks/${dispute.taskId}`}>Open the task</Link>
          {whole.task.visibility === "listed" ? (
            <>
              {" · "}
              <Link href={`/verify?task=${dispute.taskId}`}>Verify its evidence</Link>
            </>
          ) : null}
        </p>
        <TaskFacts whole={whole} />
      </Part>
      <TaskSections whole={whole} judged />
    </AdminPage>
  );
}
