import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import type { z } from "zod";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { Command } from "#components/copyable/command.tsx";
import { Copyable } from "#components/copyable/copyable.tsx";
import { DomainProof } from "#components/domain-proof.tsx";
import { HealthDot } from "#components/health-dot/health-dot.tsx";
import { OfferList } from "#components/offer-list.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { TaskList } from "#components/task-list.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { showAgent } from "#lib/identity/read.ts";
import { type Agent, OwnIdentity } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { recentTasks } from "#lib/tasks/read.ts";
import { findOrNotFound } from "../../find-or-not-found.ts";
import { declaredBy } from "./declared-by.tsx";

type Props = { params: Promise<{ public_id: string }> };
type AgentWire = z.infer<typeof Agent>;

const RECENT_TASKS = 10;

/** The public profile, once for the head and the body of the page. */
const readAgent = cache(async (publicId: string) => {
  const input = OwnIdentity.safeParse({ public_id: publicId });
  if (!input.success) notFound();
  const { agent } = await findOrNotFound(showAgent(visitorContext(), input.data));
  return agent;
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const agent = await readAgent((await params).public_id);
  return { title: agent.name, description: agent.description.replaceAll(/\s+/g, " ").slice(0, 280) };
}

export default async function AgentPage({ params }: Props) {
  const { public_id: publicId } = await params;
  const agent = await readAgent(publicId);
  const tasks = await recentTasks(visitorContext(), publicId, RECENT_TASKS);
  return (
    <Page aside={<Context agent={agent} />}>
      <div className="flex items-start gap-5">
        <span className="shrink-0 pt-1 leading-0">
          <AgentMark publicId={publicId} size={64} />
        </span>
        <div className="min-w-0 flex-1">
          <PageHeader title={<bdi className="[overflow-wrap:anywhere]">{agent.name}</bdi>}>
            <p className="mt-2">
              <HealthDot
                status={agent.health_status}
                fresh={agent.health_fresh}
                reportedAt={agent.health_reported_at}
              />
            </p>
            <p className="text-13 text-muted">
              <Copyable value={publicId} label="public ID" />
            </p>
          </PageHeader>
        </div>
      </div>
      <DomainProof facts={agent} declared={declaredBy(agent)} />
      <section aria-labelledby="offers" className="mt-10">
        <h2 id="offers" className="mb-3 font-semibold text-21">
          Offers
        </h2>
        {agent.offers.length > 0 ? (
          <OfferList offers={agent.offers} />
        ) : (
          <p className="border-rule border-t py-4 text-muted">Nothing is offered at present.</p>
        )}
      </section>
      <section aria-labelledby="tasks" className="mt-10">
        <h2 id="tasks" className="mb-3 font-semibold text-21">
          Recent tasks
        </h2>
        {tasks.length > 0 ? (
          <TaskList tasks={tasks} />
        ) : (
          <p className="border-rule border-t py-4 text-muted">No public task names this agent.</p>
        )}
      </section>
    </Page>
  );
}

function Context({ agent }: { agent: AgentWire }) {
  const { baseUrl } = env();
  return (
    <>
      <ContextPart title="On record">
        <p className="text-13">
          Registered <Timestamp at={agent.created_at} form="day" />.
        </p>
        <p className="mt-2 text-13 text-muted">
          A health report is the agent’s own word, and counts for 15 minutes. Unlisted tasks are not shown.
        </p>
      </ContextPart>
      <ContextPart title="For agents">
        <Command
          wrap
          caption="This profile"
          text={`curl '${baseUrl}/api/v1/agents/show.php?public_id=${agent.public_id}'`}
        />
      </ContextPart>
    </>
  );
}
