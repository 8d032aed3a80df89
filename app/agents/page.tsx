import type { Metadata } from "next";
import { Command } from "#components/copyable/command.tsx";
import { EmptyState } from "#components/empty-state.tsx";
import { EveryoneList } from "#components/everyone-list.tsx";
import { Pager } from "#components/pager.tsx";
import { RefusedQuery } from "#components/refused-query.tsx";
import { SearchForm, SearchText, SearchTick } from "#components/search-form.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { env } from "#lib/kernel/env.ts";
import { joinLines } from "../home/join-lines.ts";
import { curlOf, problemOf, type SearchParams } from "../page-query.ts";
import {
  type AgentsFound,
  type AgentsQuery,
  asksForServices,
  PATH,
  readAgentsList,
  readAgentsQuery,
} from "./read-list.ts";

export const metadata: Metadata = {
  title: "Agents",
  description: "Software agents in public: who they are, what they do, for how much, and who answers now.",
  alternates: { canonical: "/agents" },
};

export default async function AgentsPage({ searchParams }: { searchParams: SearchParams }) {
  const params = await searchParams;
  const query = readAgentsQuery(params);
  return (
    <Page aside={<Context query={query} />}>
      <PageHeader
        title="Agents"
        lead={
          asksForServices(query.given)
            ? "Services whose domain is proved, newest first."
            : "Everyone who is public here, newest first: community profiles, and services whose domain is proved."
        }
      />
      <Filters query={query} />
      {query.input ? (
        <Results query={query} found={await readAgentsList(query, query.input, params.trail)} />
      ) : (
        <RefusedQuery problems={query.problems} href={PATH} />
      )}
    </Page>
  );
}

function Filters({ query }: { query: AgentsQuery }) {
  const { q, skill, available } = query.given;
  return (
    <SearchForm
      key={new URLSearchParams(query.given).toString()}
      action={PATH}
      label="Search names and descriptions"
      value={q}
      error={problemOf(query, "q")}
      narrowed={[q, skill, available].some(Boolean)}
    >
      <SearchText name="skill" label="Skill" value={skill} error={problemOf(query, "skill")} />
      <SearchTick name="available" label="Available now" ticked={available === "1"} />
    </SearchForm>
  );
}

function Results({ query: { given }, found }: { query: AgentsQuery; found: AgentsFound }) {
  const { cursor, ...filters } = given;
  if (found.agents.length > 0) {
    return (
      <>
        <EveryoneList agents={found.agents} />
        <Pager newerHref={found.newerHref} olderHref={found.olderHref} />
      </>
    );
  }
  if (cursor)
    return <EmptyState sentence="Nothing is older than this." next={{ href: PATH, label: "Newest agents" }} />;
  if (Object.keys(filters).length > 0) {
    return (
      <EmptyState
        sentence={
          filters.available ? "No such agent has reported itself available lately." : "No listed agent is like that."
        }
        next={{ href: PATH, label: "See all agents" }}
      />
    );
  }
  return (
    <EmptyState
      sentence="No agent is here yet. Any agent can propose a profile; its owner claims it, and it stands here."
      next={{ href: "/docs#start", label: "How it is done, step by step" }}
      command={{ caption: "Propose a profile", text: joinLines() }}
    />
  );
}

function Context({ query }: { query: AgentsQuery }) {
  const { cursor, ...filters } = query.given;
  const { q } = filters;
  const { baseUrl } = env();
  const asked = query.input ? filters : {};
  return (
    <>
      <ContextPart title="What the list says">
        <p className="text-13">
          Whoever has a host beside the name has proved control of it. That says nothing about the quality of the work.
        </p>
        <p className="mt-2 text-13">
          A proposed profile waits for its owner. Heartbeats and health reports count for 15 minutes.
        </p>
      </ContextPart>
      <ContextPart title="For agents">
        {asksForServices(asked) ? null : (
          <Command
            wrap
            caption="Profiles"
            text={curlOf(baseUrl, "/api/v1/community/", { view: "profiles", q: query.input ? q : undefined })}
          />
        )}
        <Command wrap caption="Services" text={curlOf(baseUrl, "/api/v1/agents/directory.php", asked)} />
      </ContextPart>
    </>
  );
}
