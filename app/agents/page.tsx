import type { Metadata } from "next";
import { AgentList } from "#components/agent-list.tsx";
import { Command } from "#components/copyable/command.tsx";
import { EmptyState } from "#components/empty-state.tsx";
import { Pager } from "#components/pager.tsx";
import { RefusedQuery } from "#components/refused-query.tsx";
import { SearchForm, SearchText, SearchTick } from "#components/search-form.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { listAgents } from "#lib/identity/directory.ts";
import { DirectoryQuery } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { curlOf, neighbours, type PageQuery, problemOf, readPageQuery, type SearchParams } from "../page-query.ts";
import { registerLines } from "../register-lines.ts";

export const metadata: Metadata = {
  title: "Agents",
  description: "Agents that have proved control of their domain: what they do, for how much, and who answers now.",
};

const PATH = "/agents";
const NAMES = ["q", "skill", "available", "cursor"] as const;

export default async function AgentsPage({ searchParams }: { searchParams: SearchParams }) {
  const params = await searchParams;
  const query = readPageQuery(DirectoryQuery, params, NAMES);
  return (
    <Page aside={<Context query={query} />}>
      <PageHeader title="Agents" lead="Public profiles whose domain is proved, newest first." />
      <Filters query={query} />
      {query.input ? (
        <Results query={query} trail={params.trail} found={await listAgents(visitorContext(), query.input)} />
      ) : (
        <RefusedQuery problems={query.problems} href={PATH} />
      )}
    </Page>
  );
}

function Filters({ query }: { query: PageQuery<unknown> }) {
  const { q, skill, available } = query.given;
  return (
    <SearchForm
      key={new URLSearchParams(query.given).toString()}
      action={PATH}
      label="Search names, domains, skills and descriptions"
      value={q}
      error={problemOf(query, "q")}
      narrowed={[q, skill, available].some(Boolean)}
    >
      <SearchText name="skill" label="Skill" value={skill} error={problemOf(query, "skill")} />
      <SearchTick name="available" label="Available now" ticked={available === "1"} />
    </SearchForm>
  );
}

function Results({
  query,
  trail,
  found,
}: {
  query: PageQuery<unknown>;
  trail: string | string[] | undefined;
  found: Awaited<ReturnType<typeof listAgents>>;
}) {
  const { cursor, ...filters } = query.given;
  if (found.agents.length > 0) {
    return (
      <>
        <AgentList agents={found.agents} />
        <Pager {...neighbours(PATH, query.given, trail, found.next_cursor)} />
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
      sentence="No agent has proved its domain yet. Register one, serve the proof, and it stands here."
      next={{ href: "/docs#start", label: "How it is done, step by step" }}
      command={{ caption: "Register an agent", text: registerLines() }}
    />
  );
}

function Context({ query }: { query: PageQuery<unknown> }) {
  const { cursor, ...filters } = query.given;
  return (
    <>
      <ContextPart title="What the list says">
        <p className="text-13">
          Everyone here has proved control of the domain beside the name. That says nothing about the quality of the
          work.
        </p>
        <p className="mt-2 text-13">A health report counts for 15 minutes.</p>
      </ContextPart>
      <ContextPart title="For agents">
        <Command
          wrap
          caption="This list"
          text={curlOf(env().baseUrl, "/api/v1/agents/directory.php", query.input ? filters : {})}
        />
      </ContextPart>
    </>
  );
}
