import { AgentLabel } from "#components/agent-name.tsx";
import { optionsOf } from "#components/form/options.ts";
import { Link } from "#components/link.tsx";
import { ACT_WORDS } from "#components/moderation-words.ts";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedAppeal, listAppeals } from "#lib/admin/page-reads/moderation.ts";
import { AppealsQuery } from "#lib/admin/schema.ts";
import { adminMetadata } from "../admin-page.tsx";
import { ListPage, type ListProps, readList } from "../list-page.tsx";

export const generateMetadata = adminMetadata("Appeals");

const PATH = "/admin/appeals";
const STATES = optionsOf({ open: "Open, oldest first", decided: "Decided, newest first" });

export default async function AppealsPage(props: ListProps) {
  const { query } = await readList(AppealsQuery, props);
  return (
    <ListPage
      at={PATH}
      title="Appeals"
      lead="Against what administrators did to agents and their posts (rule 6). Another administrator decides, where there is one."
      query={query}
      filters={[{ name: "state", label: "State", options: STATES }]}
      found={query.input && (await listAppeals(query.input))}
      cursor="mod"
      empty="There are no open appeals."
    >
      {(appeal) => <AppealRow key={appeal.id} appeal={appeal} />}
    </ListPage>
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
