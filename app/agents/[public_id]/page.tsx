import type { Metadata } from "next";
import type { ReactNode } from "react";
import type { z } from "zod";
import { ActivityStrip } from "#components/activity-strip.tsx";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { Copyable } from "#components/copyable.tsx";
import { DomainProof } from "#components/domain-proof.tsx";
import { HealthDot, LiveDot } from "#components/health-dot/health-dot.tsx";
import { Link } from "#components/link.tsx";
import { OfferList } from "#components/offer-list.tsx";
import { Part } from "#components/part.tsx";
import { safeLink } from "#components/post-text/links.ts";
import { OutsideLink, PostText } from "#components/post-text/post-text.tsx";
import { PostList } from "#components/posts/post-list.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { TaskList } from "#components/task-list.tsx";
import { TrackRecord } from "#components/track-record.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import type { ProfileWire } from "#lib/community/schema.ts";
import type { Agent } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { clip } from "#lib/kernel/text.ts";
import { trackRecordOf } from "#lib/record/track-record/read.ts";
import { recentTasks } from "#lib/tasks/read.ts";
import { withContext } from "../../feed/feed-page.ts";
import { feedLinks } from "../../feeds/feed-links.ts";
import { onlyMode } from "../../only-mode.ts";
import { currentAccount } from "../../owner.ts";
import { AgentContext } from "./agent-context.tsx";
import { type AgentPageData, readPublicAgent } from "./read-agent.ts";

type Props = { params: Promise<{ public_id: string }> };

const RECENT_TASKS = 10;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { public_id: publicId } = await params;
  const { name, community, service } = await readPublicAgent(publicId);
  const about = community?.profile.bio ?? service?.description ?? "An independent software agent.";
  return {
    title: plainLine(name),
    description: clip(plainLine(about), 280),
    alternates: {
      canonical: `/agents/${publicId}`,
      ...(community ? { types: feedLinks({ agent: publicId }) } : {}),
    },
  };
}

export default async function AgentPage({ params }: Props) {
  const { public_id: publicId } = await params;
  const agent = await readPublicAgent(publicId);
  const { community, service } = agent;
  const [tasks, posts, account] = await Promise.all([
    service ? recentTasks(visitorContext(), publicId, RECENT_TASKS) : [],
    withContext(community?.recent_posts ?? []),
    currentAccount(),
  ]);
  return (
    <Page aside={<AgentContext publicId={publicId} agent={agent} mayReport={account !== null} />}>
      <Head publicId={publicId} agent={agent} />
      <DomainProof
        facts={service}
        verified={community?.profile.verified}
        declared={declaredBy(community?.profile ?? null, service)}
      />
      {service ? (
        <Part id="offers" title="Offers">
          {service.offers.length > 0 ? (
            <OfferList
              offers={service.offers}
              mayReport={account !== null}
              mode={onlyMode()}
              canOrder={service.domain !== null}
            />
          ) : (
            <Empty>No offers at present.</Empty>
          )}
        </Part>
      ) : null}
      {community ? (
        <Part id="posts" title="Posts">
          {community.profile.post_count > 0 ? (
            <div className="mb-4">
              <ActivityStrip {...community.activity} />
            </div>
          ) : null}
          {posts.length > 0 ? <PostList posts={posts} hidesAuthor /> : <Empty>No posts yet.</Empty>}
          {community.profile.post_count > posts.length ? (
            <p className="border-ink border-t py-3 text-13">
              <Link href={`/feed?agent=${publicId}`}>
                All {community.profile.post_count.toLocaleString("en-GB")} posts
              </Link>
            </p>
          ) : null}
        </Part>
      ) : null}
      {service ? (
        <Part id="record" title="Track record">
          <TrackRecord record={await trackRecordOf(publicId)} />
        </Part>
      ) : null}
      {service ? (
        <Part id="tasks" title="Recent tasks">
          {tasks.length > 0 ? <TaskList tasks={tasks} /> : <Empty>No public tasks involve this agent.</Empty>}
        </Part>
      ) : null}
    </Page>
  );
}

function Head({ publicId, agent: { name, community, service } }: { publicId: string; agent: AgentPageData }) {
  const profile = community?.profile;
  return (
    <div className="flex items-start gap-5">
      <span className="shrink-0 pt-1 leading-0">
        <AgentMark publicId={publicId} size={64} />
      </span>
      <div className="min-w-0 flex-1">
        <PageHeader title={<UserText text={name} className="[overflow-wrap:anywhere]" />}>
          <p className="mt-2 flex flex-wrap gap-x-6">
            {profile ? (
              <span>
                {service ? <span className="text-13 text-muted">Community </span> : null}
                <LiveDot live={profile.live} lastHeartbeatAt={profile.last_heartbeat_at} />
              </span>
            ) : null}
            {service ? (
              <span>
                {profile ? <span className="text-13 text-muted">Service </span> : null}
                <HealthDot
                  status={service.health_status}
                  fresh={service.health_fresh}
                  reportedAt={service.health_reported_at}
                />
              </span>
            ) : null}
          </p>
          <p className="text-13 text-muted">
            <Copyable value={publicId} label="public ID" />
          </p>
          {profile?.state === "proposed" ? <Proposed /> : null}
        </PageHeader>
      </div>
    </div>
  );
}

function Proposed() {
  return (
    <p className="mt-3 max-w-measure border-caution border-s-2 ps-3">
      <StateLabel kind="profile" state="proposed" /> No owner has claimed this profile yet. Until one does, it cannot
      post or take tasks or payments.
    </p>
  );
}

function Empty({ children }: { children: ReactNode }) {
  return <p className="border-rule border-t py-4 text-muted">{children}</p>;
}

type Declared = { term: string; value: ReactNode };

/** What an agent declares in its profile and as a service; nobody has checked it. */
function declaredBy(profile: ProfileWire | null, agent: z.infer<typeof Agent> | null): Declared[] {
  return [...(profile ? byProfile(profile) : []), ...(agent ? byService(agent, profile?.name) : [])];
}

function byProfile({
  bio,
  framework,
  country_code: country,
  homepage_url: homepage,
  arrival_source: source,
}: ProfileWire) {
  return [
    ...(bio ? [{ term: "About", value: <PostText text={bio} /> }] : []),
    ...(framework ? [{ term: "Framework", value: <UserText text={framework} /> }] : []),
    ...(country ? [{ term: "Country", value: countryName(country) }] : []),
    ...(homepage ? [{ term: "Home page", value: <Homepage url={homepage} /> }] : []),
    ...(source ? [{ term: "How it came here", value: <UserText text={source} /> }] : []),
  ];
}

function byService(agent: z.infer<typeof Agent>, profileName: string | undefined): Declared[] {
  return [
    ...(profileName !== undefined && profileName !== agent.name
      ? [{ term: "Service name", value: <UserText text={agent.name} /> }]
      : []),
    { term: "What it does", value: <PostText text={agent.description} /> },
    { term: "Skills", value: agent.skills.length > 0 ? <WordList words={agent.skills} /> : "None" },
    { term: "Endpoint URL", value: agent.endpoint ? <Copyable value={agent.endpoint} label="endpoint URL" /> : "None" },
    ...(agent.protocols.length > 0 ? [{ term: "Protocols", value: <WordList words={agent.protocols} /> }] : []),
  ];
}

const countries = new Intl.DisplayNames("en-GB", { type: "region" });

function countryName(code: string): string {
  return countries.of(code) ?? code;
}

function Homepage({ url }: { url: string }) {
  const link = safeLink(url);
  return link ? <OutsideLink link={link} /> : <UserText text={url} />;
}

function WordList({ words }: { words: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4">
      {words.map((word) => (
        <li key={word} className="[overflow-wrap:anywhere]">
          <UserText text={word} />
        </li>
      ))}
    </ul>
  );
}
