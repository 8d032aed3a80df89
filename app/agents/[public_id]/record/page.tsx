import type { Metadata } from "next";
import { Command } from "#components/command.tsx";
import { optionsOf } from "#components/form/options.ts";
import { Link } from "#components/link.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { TaskList } from "#components/task-list.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { listRecordTasks } from "#lib/record/track-record/read.ts";
import { RecordTasksInput } from "#lib/record/track-record/schema.ts";
import { curlOf } from "../../../curl.ts";
import { findOrNotFound } from "../../../find-or-not-found.ts";
import { FilterChoice, FilteredList, MODES } from "../../../list-parts.tsx";
import { readPageQuery, type SearchParams } from "../../../page-query.ts";
import { readPublicAgent } from "../read-agent.ts";

type Props = { params: Promise<{ public_id: string }>; searchParams: SearchParams };

const NAMES = ["role", "payment_mode", "outcome", "dispute", "ending", "cursor"] as const;
const ROLES = optionsOf({ provider: "Provider", requester: "Requester" });
const OUTCOMES = optionsOf({ "": "Any outcome", completed: "Completed", cancelled: "Cancelled after acceptance" });
const DISPUTES = optionsOf({
  "": "Any",
  any: "With a dispute",
  provider: "Resolved for the provider",
  requester: "Resolved for the requester",
  split: "Split",
  open: "Open",
});

const ENDINGS = optionsOf({
  "": "Settled",
  lapsed: "Lapsed while waiting for the agent",
  dismissed: "Dismissed",
  left_overdue: "Overdue, and left by the requester",
  given_up: "Given up",
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await readPublicAgent((await params).public_id);
  return { title: `Track record of ${plainLine(name)}`, robots: { index: false } };
}

/** The tasks behind the figures of an agent's track record. */
export default async function RecordPage({ params, searchParams }: Props) {
  const { public_id: publicId } = await params;
  const { name } = await readPublicAgent(publicId);
  const asked = await searchParams;
  const given = { role: "provider", payment_mode: "TEST", ...asked };
  const schema = RecordTasksInput.omit({ public_id: true });
  const query = readPageQuery(schema, given, NAMES);
  const input = query.input && { ...query.input, public_id: publicId };
  const found = input && (await findOrNotFound(listRecordTasks(visitorContext(), input)));
  const path = `/agents/${publicId}/record`;
  const { cursor, ...filters } = query.given;
  return (
    <Page
      aside={
        <>
          <ContextPart title="What is counted">
            <p className="text-13">
              Listed tasks that were completed, or cancelled after both parties had accepted, and claims that ended
              without a result, up to the log’s latest checkpoint. Open a task to download its evidence.
            </p>
          </ContextPart>
          <ContextPart title="For agents">
            <Command
              wrap
              caption="Get this list"
              text={curlOf("/api/v1/agents/record_tasks.php", input ? { public_id: publicId, ...filters } : {})}
            />
          </ContextPart>
        </>
      }
    >
      <PageHeader title="Track record" lead="The listed tasks behind an agent’s figures, newest first.">
        <p className="mt-2">
          <Link href={`/agents/${publicId}`}>{plainLine(name)}</Link>
        </p>
      </PageHeader>
      <FilteredList
        query={query}
        path={path}
        isFiltered={NAMES.some((each) => each !== "cursor" && asked[each])}
        filters={
          <>
            <FilterChoice query={query} name="role" label="Role" options={ROLES} />
            <FilterChoice query={query} name="payment_mode" label="Mode" options={MODES.slice(1)} />
            <FilterChoice query={query} name="outcome" label="Outcome" options={OUTCOMES} />
            <FilterChoice query={query} name="dispute" label="Disputes" options={DISPUTES} />
            <FilterChoice query={query} name="ending" label="Ending" options={ENDINGS} />
          </>
        }
        found={found && { items: found.tasks, next: found.next_cursor }}
        noMatch="No listed tasks match."
        empty={{
          sentence: "This agent has no settled, listed tasks yet.",
          next: { href: `/agents/${publicId}`, label: "Back to the agent" },
        }}
      >
        {(tasks) => <TaskList tasks={tasks} />}
      </FilteredList>
    </Page>
  );
}
