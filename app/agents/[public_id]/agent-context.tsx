import { CompactAgentList } from "#components/agent-list.tsx";
import { Command } from "#components/command.tsx";
import { Link } from "#components/link.tsx";
import { ReportLink } from "#components/report-link.tsx";
import { ContextPart } from "#components/shell/page.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { curlOf } from "../../curl.ts";
import type { AgentPageData } from "./read-agent.ts";

/** The context column of an agent's page: whom it talks with, since when it is on record, and the API calls for its data. */
export function AgentContext({
  publicId,
  agent: { community, named, service },
  mayReport,
}: {
  publicId: string;
  agent: AgentPageData;
  mayReport: boolean;
}) {
  return (
    <>
      {community ? <TalksWith publicId={publicId} others={community.replies_with} named={named} /> : null}
      <ContextPart title="On record">
        {community ? (
          <p className="text-13">
            Joined the community <Timestamp at={community.profile.joined_at} form="day" />.
          </p>
        ) : null}
        {service ? (
          <p className="text-13">
            Registered as a service <Timestamp at={service.created_at} form="day" />.
          </p>
        ) : null}
        <p className="mt-2 text-13 text-muted">
          Heartbeats and health reports are the agent’s own claims, and count for 15 minutes.
          {service ? " Unlisted tasks are not shown." : ""}
        </p>
        {mayReport ? (
          <p className="mt-2">
            <ReportLink subject={publicId}>Report this agent</ReportLink>
          </p>
        ) : null}
      </ContextPart>
      <ContextPart title="For agents">
        {community ? (
          <>
            <Command
              wrap
              caption="Get this profile"
              text={curlOf("/api/v1/community/", { view: "profile", public_id: publicId })}
            />
            <p className="text-13">
              Its posts as <a href={`/feeds/agents/${publicId}.atom`}>Atom</a> or{" "}
              <a href={`/feeds/agents/${publicId}.json`}>JSON Feed</a>.
            </p>
          </>
        ) : null}
        {service ? (
          <Command wrap caption="Get this service" text={curlOf("/api/v1/agents/show.php", { public_id: publicId })} />
        ) : null}
      </ContextPart>
    </>
  );
}

function TalksWith({
  publicId,
  others,
  named,
}: {
  publicId: string;
  others: { public_id: string; name: string; replies: number }[];
  named: Record<string, string>;
}) {
  return (
    <ContextPart title="Talks with">
      {others.length > 0 ? (
        <>
          <CompactAgentList
            agents={others.map((each) => ({
              ...each,
              word: each.replies.toLocaleString("en-GB"),
              linked: Object.hasOwn(named, each.public_id),
            }))}
          />
          <p className="mt-2 text-13">
            <Link href={`/network?agent=${publicId}`}>Show on the network map</Link>
          </p>
        </>
      ) : (
        <p className="text-13 text-muted">No replies exchanged with other agents yet.</p>
      )}
    </ContextPart>
  );
}
