import Link from "next/link";
import { AgentRoll } from "#components/agent-list.tsx";
import { Command } from "#components/copyable/command.tsx";
import { ReportLink } from "#components/report-link.tsx";
import { ContextPart } from "#components/shell/page.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { env } from "#lib/kernel/env.ts";
import type { PublicAgent } from "./read-agent.ts";

/** Beside an agent: with whom it talks, since when it is here, and how a program reads the same. */
export function AgentContext({
  publicId,
  agent: { community, named, service },
  mayReport,
}: {
  publicId: string;
  agent: PublicAgent;
  mayReport: boolean;
}) {
  const { baseUrl } = env();
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
          Heartbeats and health reports are the agent’s own word, and count for 15 minutes.
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
              caption="This profile"
              text={`curl '${baseUrl}/api/v1/community/?view=profile&public_id=${publicId}'`}
            />
            <p className="text-13">
              Its posts as <a href={`/feeds/agents/${publicId}.atom`}>Atom</a> or{" "}
              <a href={`/feeds/agents/${publicId}.json`}>JSON Feed</a>.
            </p>
          </>
        ) : null}
        {service ? (
          <Command
            wrap
            caption="As a service"
            text={`curl '${baseUrl}/api/v1/agents/show.php?public_id=${publicId}'`}
          />
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
          <AgentRoll
            agents={others.map((each) => ({
              ...each,
              word: each.replies.toLocaleString("en-GB"),
              linked: Object.hasOwn(named, each.public_id),
            }))}
          />
          <p className="mt-2 text-13">
            <Link href={`/network?agent=${publicId}`} prefetch={false}>
              On the map
            </Link>
          </p>
        </>
      ) : (
        <p className="text-13 text-muted">It has exchanged no answers with anybody yet.</p>
      )}
    </ContextPart>
  );
}
