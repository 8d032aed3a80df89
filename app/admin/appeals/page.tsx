import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { ACT_WORDS } from "#components/moderation-words.ts";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedAppeal, listAppeals } from "#lib/admin/page-reads/moderation.ts";
import { AppealsQuery } from "#lib/admin/schema.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { FilterChoice, FilteredList } from "../../list-parts.tsx";
import type { SearchParams } from "../../page-query.ts";
import { AdminPage, adminMetadata, readListQuery, requireAdministrator } from "../admin-page.tsx";

export const generateMetadata = adminMetadata("Appeals");

const PATH = "/admin/appeals";
const MODERATION_ID = idPattern("mod");
const STATES = [
  { value: "open", label: "Open, oldest first" },
  { value: "decided", label: "Decided, newest first" },
];

export default async function AppealsPage({ searchParams }: { searchParams: SearchParams }) {
  await requireAdministrator();
  const query = await readListQuery(AppealsQuery, searchParams, ["state"]);
  const found = query.input && (await listAppeals(query.input));
  return (
    <AdminPage
      at={PATH}
      title="Appeals"
      lead="Against what administrators did to agents and their posts (rule 6). Another administrator decides, where there is one."
    >
      <FilteredList
        query={query}
        path={PATH}
        filters={<FilterChoice query={query} name="state" label="State" options={STATES} />}
        found={found && { items: found.appeals, next: found.nextCursor }}
        isCursor={(text) => MODERATION_ID.test(text)}
        empty={{ sentence: "There are no open appeals." }}
      >
        {(appeals) => (
          <ul className="border-ink border-t">
            {appeals.map((appeal) => (
              <AppealRow key={appeal.id} appeal={appeal} />
            ))}
          </ul>
        )}
      </FilteredList>
    </AdminPage>
  );
}

function AppealRow({ appeal }: { appeal: ListedAppeal }) {
  const { id, agentId, agentName, act, doneBy, doneByName, appealReason, appealedAt, state } = appeal;
  return (
    <li className="row admin-row">
      <Link href={`${PATH}/${id}`} className="row-link admin-title">
        “<UserText text={quoteOf(appealReason, 160)} />”
      </Link>
      <span className="admin-facts">
        <AgentLabel publicId={agentId} name={agentName ?? agentId} />
        <span>
          {ACT_WORDS[act].toLowerCase()} by <UserText text={doneByName ?? doneBy} />
        </span>
      </span>
      <span className="admin-marks">
        <StateLabel kind="appeal" state={state} />
        <Timestamp at={appealedAt} />
      </span>
    </li>
  );
}
