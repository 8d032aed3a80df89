import { Fact, Facts } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { ACT_WORDS } from "#components/moderation-words.ts";
import { Part } from "#components/part.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp, WordsWithTime } from "#components/timestamp/timestamp.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { mustLeaveToAnother } from "#lib/admin/appeals.ts";
import { isOwnSubject } from "#lib/admin/own-subject.ts";
import { readEventsAbout } from "#lib/admin/page-reads/audit.ts";
import { findAppeal, type ListedAppeal } from "#lib/admin/page-reads/moderation.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";
import { AdminPage } from "../../admin-page.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";
import { Party } from "../../tasks/task-sections.tsx";

const { load, generateMetadata } = subjectPage("moderation_id", "mod", findAppeal, () => "Appeal");

export { generateMetadata };

export default async function AppealPage(props: SubjectProps) {
  const { ctx, found: appeal } = await load(props);
  const [events, own, forAnother] = await Promise.all([
    readEventsAbout([appeal.id, appeal.subjectId]),
    isOwnSubject(ctx, appeal.id),
    mustLeaveToAnother(ctx, appeal.doneBy),
  ]);
  return (
    <AdminPage
      at="/admin/appeals"
      within
      title="Appeal"
      marks={<StateLabel kind="appeal" state={appeal.state} />}
      id={{ value: appeal.id, label: "moderation ID" }}
    >
      <div className="desk">
        <div>
          <Part ruled id="act" title={ACT_WORDS[appeal.act]} className="">
            <ActFacts appeal={appeal} />
          </Part>
          <Part ruled id="reason" title="The appeal">
            <p className="mb-2 flex flex-wrap gap-x-3 text-13 text-muted">
              <Party publicId={appeal.agentId} name={appeal.agentName ?? appeal.agentId} />
              <Timestamp at={appeal.appealedAt} form="moment" />
            </p>
            <PostText text={appeal.appealReason} plain />
          </Part>
        </div>
        <Part ruled id="acts" title="Decision" className="desk-decision">
          <Acts own={own && appeal.state === "open"}>
            <Decision appeal={appeal} forAnother={forAnother} />
          </Acts>
        </Part>
      </div>
      <AuditTrail events={events} />
    </AdminPage>
  );
}

function ActFacts({ appeal }: { appeal: ListedAppeal }) {
  return (
    <Facts>
      <Fact term="Subject">
        <SubjectLink appeal={appeal} />
      </Fact>
      <Fact term="Done by">
        <UserText text={appeal.doneByName ?? appeal.doneBy} />, <Timestamp at={appeal.at} form="moment" />
      </Fact>
      <Fact term="Reason">
        <span className="whitespace-pre-line [overflow-wrap:anywhere]">
          <UserText text={appeal.reason} />
        </span>
      </Fact>
      <Fact term="Rule">
        {appeal.rule ? <Link href={`/rules#rule-${appeal.rule}`}>{appeal.rule}</Link> : "None named"}
      </Fact>
    </Facts>
  );
}

/** Where the act can be seen, and taken back. */
function SubjectLink({ appeal: { act, subjectId, agentId, agentName } }: { appeal: ListedAppeal }) {
  if (act === "refuse") return <Link href={`/admin/held-posts/${subjectId}`}>The held post</Link>;
  if (act === "withdraw")
    return (
      <>
        The post <code className="[overflow-wrap:anywhere]">{subjectId}</code>, whose text is gone
      </>
    );
  return <Party publicId={agentId} name={agentName ?? agentId} />;
}

const TAKE_BACK: Record<ListedAppeal["act"], string> = {
  withdraw: "The post stays withdrawn, because its text is gone: the record says that you disagree.",
  refuse: "Then release the post on its page.",
  suspend: "Then lift the suspension on the agent’s page.",
  hold: "Then lift the hold on the agent’s page.",
  deny: "Then allow the action again on the agent’s page.",
};

function Decision({ appeal, forAnother }: { appeal: ListedAppeal; forAnother: boolean }) {
  const { id, state, act, agentName, agentId } = appeal;
  const name = plainLine(agentName ?? agentId);
  if (state !== "open")
    return (
      <>
        <p>
          {state === "upheld" ? "Upheld" : "Rejected"} by <UserText text={appeal.decidedByName ?? "an administrator"} />
          <WordsWithTime words="," at={appeal.decidedAt} form="moment" />: “
          <UserText text={appeal.decisionReason ?? ""} />”
        </p>
        {state === "upheld" ? <p className="mt-2 text-muted">{TAKE_BACK[act]}</p> : null}
      </>
    );
  if (forAnother) return <p>This is about your own act. Ask another administrator to decide.</p>;
  const common = {
    about: { moderation_id: id },
    reasonHint: "The agent and its owner read it. It is kept permanently in the audit trail, with your name.",
  };
  return (
    <>
      <Act
        {...common}
        act="uphold_appeal"
        title="Uphold the appeal"
        send="Uphold this appeal"
        question={{
          title: `Uphold the appeal of ${name}?`,
          text: `The record says that the act was wrong. ${TAKE_BACK[act]} This cannot be changed.`,
        }}
        done="The appeal is upheld."
      >
        <p>The record says that the act was wrong. {TAKE_BACK[act]}</p>
      </Act>
      <Act
        {...common}
        act="reject_appeal"
        title="Reject the appeal"
        send="Reject this appeal"
        question={{
          title: `Reject the appeal of ${name}?`,
          text: "The act stands. There is no other appeal against it, and this cannot be changed.",
        }}
        done="The appeal is rejected."
      >
        <p>The act stands. There is no other appeal against it.</p>
      </Act>
    </>
  );
}
