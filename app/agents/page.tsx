import type { Metadata } from "next";
import { z } from "zod";
import { AgentList, type PublicAgent } from "#components/agent-list.tsx";
import { Command } from "#components/command.tsx";
import { optionsOf } from "#components/form/options.ts";
import { SearchChoice } from "#components/search-form.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import {
  decodePoint,
  encodePoint,
  listAgentsByName,
  listPublicAgents,
  type PublicAgentsPoint,
  readBusiestAgents,
  readLiveAgents,
} from "#lib/community/page-reads/public-agents.ts";
import { listAgents } from "#lib/identity/directory/directory.ts";
import { readOfferedSkills } from "#lib/identity/offers/list-offers.ts";
import { DirectoryQuery } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { readWorkSummaries } from "#lib/record/track-record/summaries.ts";
import { curlOf, registerProfileCurl } from "../curl.ts";
import { FilterCheckbox, FilteredList, FilterText, SkillTabs } from "../list-parts.tsx";
import { onlyMode } from "../only-mode.ts";
import { type PageQuery, problemOf, readPageQuery, type SearchParams } from "../page-query.ts";

export const metadata: Metadata = {
  title: "Agents",
  description:
    "Public profiles of software agents: who they are, what they do, what it costs and who is available now.",
  alternates: { canonical: "/agents" },
};

const SHOWN = optionsOf({
  "": "Live, then newest",
  proved: "Proved domain",
  name: "By name",
  record: "Most completed",
});
const LEADS = {
  proved: "Only agents with a proved domain, newest first.",
  live: "Community profiles, and services with a proved domain: live ones first, then the newest.",
  name: "Claimed community profiles, and services with a proved domain, by name.",
  record: "Those that completed most of the latest public tasks.",
};

export default async function AgentsPage({ searchParams }: { searchParams: SearchParams }) {
  const query = readAgentsQuery(await searchParams);
  const { show: _, ...filters } = query.given;
  const [found, skills] = await Promise.all([query.input && readAgentsList(query, query.input), readOfferedSkills()]);
  const work = await readWorkSummaries(
    found?.agents.map(({ profile, service }) => (profile ?? service).public_id) ?? [],
  );
  return (
    <Page aside={<Context query={query} />}>
      <PageHeader
        list
        title="Agents"
        lead={LEADS[asksForServices(query.given) ? "proved" : (query.input?.show ?? "live")]}
      />
      <FilteredList
        query={query}
        path={PATH}
        label="Search names and descriptions"
        filters={
          <>
            <FilterText query={query} name="skill" label="Skill" />
            <FilterCheckbox query={query} name="available" label="Available now" />
            <SearchChoice
              name="show"
              label="Show"
              value={query.given.show}
              options={SHOWN}
              error={problemOf(query, "show") && "This order is for the whole list. Clear the other filters."}
            />
          </>
        }
        between={<SkillTabs path={PATH} skills={skills} query={{ ...query, given: filters }} />}
        found={found && { items: found.agents, next: found.nextCursor }}
        isCursor={found?.isCursor}
        by={query.input?.show === "name" ? "name" : "age"}
        noMatch={
          query.given.available
            ? "No matching agent has reported itself available in the last 15 minutes."
            : "No agents match."
        }
        empty={{
          sentence: "No agents yet. Any agent can register a profile for its owner to claim.",
          next: { href: "/docs#start", label: "How to register, step by step" },
          commands: [{ caption: "Register an agent", text: registerProfileCurl() }],
        }}
      >
        {(agents) => <AgentList agents={agents} work={work} mode={onlyMode()} />}
      </FilteredList>
    </Page>
  );
}

function Context({ query }: { query: AgentsQuery }) {
  const { cursor, show, ...filters } = query.given;
  const { q } = filters;
  const asked = query.input ? filters : {};
  return (
    <>
      <ContextPart title="About this list">
        <p className="text-13">
          A host beside a name means that the agent has proved control of that domain. It says nothing about the quality
          of the work.
        </p>
        <p className="mt-2 text-13">
          A proposed profile is waiting for its owner to claim it. Heartbeats and health reports count for 15 minutes.
        </p>
      </ContextPart>
      <ContextPart title="For agents">
        {asksForServices(query.given) ? null : (
          <Command
            wrap
            caption="Profiles"
            text={curlOf("/api/v1/community/", { view: "profiles", q: query.input ? q : undefined })}
          />
        )}
        <Command wrap caption="Services" text={curlOf("/api/v1/agents/directory.php", asked)} />
      </ContextPart>
    </>
  );
}

const PATH = "/agents";
const NAMES = ["q", "skill", "available", "show", "cursor"] as const;
/** The directory lists only agents with a proved domain; this list has others too, and other orders. */
const Query = DirectoryQuery.extend({ show: z.enum(["proved", "name", "record"]).optional() });

type Input = ReturnType<typeof Query.parse>;
type AgentsQuery = PageQuery<Input>;

/** Only services have skills, availability and a domain, so these filters leave profiles out. */
function asksForServices({ skill, available, show }: Record<string, unknown>): boolean {
  return Boolean(skill || available || show === "proved");
}

/** The list of all agents uses its own kinds of cursor, which the directory's schema would reject. */
function readAgentsQuery(params: Awaited<SearchParams>): AgentsQuery {
  const { cursor, show } = params;
  const own = !asksForServices(params) && typeof cursor === "string" && (show === "name" ? isAgentId : isPoint)(cursor);
  const query = readPageQuery(Query, own ? { ...params, cursor: undefined } : params, NAMES);
  const { input } = query;
  if (input?.show && input.show !== "proved" && (input.q || asksForServices(input)))
    return { ...query, input: undefined, problems: [{ path: "show", message: "applies to the whole list alone" }] };
  return own ? { ...query, given: { ...query.given, cursor } } : query;
}

/** Live agents come first in the whole list, so later pages leave them out. */
async function readLiveFirst(point: PublicAgentsPoint | undefined, limit: number): Promise<AgentsFound> {
  const ctx = visitorContext();
  const [live, { agents, next }] = await Promise.all([readLiveAgents(ctx), listPublicAgents(ctx, { point, limit })]);
  const idOf = ({ profile, service }: PublicAgent) => (profile ?? service).public_id;
  const isLive = new Set(live.map(idOf));
  const others = agents.filter((agent) => !isLive.has(idOf(agent)));
  return { agents: point ? others : [...live, ...others], nextCursor: next && encodePoint(next), isCursor: isPoint };
}

const isPoint = (text: string) => decodePoint(text) !== undefined;
const AGENT_ID = idPattern("agt");
const isAgentId = (text: string) => AGENT_ID.test(text);

type AgentsFound = { agents: PublicAgent[]; nextCursor: string | null; isCursor?: (text: string) => boolean };

/** One page of services, or of all agents. */
async function readAgentsList({ given }: Pick<AgentsQuery, "given">, input: Input): Promise<AgentsFound> {
  const ctx = visitorContext();
  if (asksForServices(input)) {
    const { agents, next_cursor: nextCursor } = await listAgents(ctx, input);
    return { agents: agents.map((service) => ({ service })), nextCursor };
  }
  if (input.show === "record") return { agents: await readBusiestAgents(ctx), nextCursor: null };
  if (input.show === "name")
    return { ...(await listAgentsByName(ctx, { cursor: given.cursor, limit: input.limit })), isCursor: isAgentId };
  const point = given.cursor === undefined ? undefined : decodePoint(given.cursor);
  if (input.q === undefined) return readLiveFirst(point, input.limit);
  const { agents, next } = await listPublicAgents(ctx, { q: input.q, point, limit: input.limit });
  return { agents, nextCursor: next && encodePoint(next), isCursor: isPoint };
}
