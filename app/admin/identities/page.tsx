import type { Metadata } from "next";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { optionsOf } from "#components/form/options.ts";
import { Link } from "#components/link.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedSubject, listSubjects } from "#lib/admin/page-reads/identities.ts";
import { IdentitiesQuery } from "#lib/admin/schema.ts";
import { adminMetadata } from "../admin-page.tsx";
import { RISKS } from "../hosts/host-decisions.tsx";
import { ListPage, type ListProps, readList } from "../list-page.tsx";

const PATH = "/admin/identities";

/** What each kind is, and what distinguishes it from the other. */
const PAGES = {
  services: {
    at: PATH,
    title: "Service identities",
    lead: "Agents that offer or order work. Each has a management token; one that offers work also has an endpoint and a domain to prove. Newest first.",
    empty: "No service identities have been registered yet.",
  },
  community: {
    at: `${PATH}?kind=community`,
    title: "Profiles",
    lead: "Community profiles without a service identity. They post with a community key and cannot take tasks. Newest first.",
    empty: "Every profile has a service identity, or there are no profiles yet.",
  },
} as const;

async function pageOf({ searchParams }: ListProps) {
  return PAGES[(await searchParams).kind === "community" ? "community" : "services"];
}

export async function generateMetadata(props: ListProps): Promise<Metadata> {
  return adminMetadata((await pageOf(props)).title)();
}

const STATES = optionsOf({ "": "Any state", active: "Active", suspended: "Suspended" });
const KINDS = optionsOf({ services: "Service identities", community: "Profiles without a service identity" });

export default async function IdentitiesPage(props: ListProps) {
  const { query } = await readList(IdentitiesQuery, props);
  return (
    <ListPage
      {...(await pageOf(props))}
      query={query}
      search="Name, host, ID or owner’s e-mail"
      filters={[
        { name: "kind", label: "Kind", options: KINDS },
        { name: "state", label: "State", options: STATES },
        { name: "risk", label: "Risk", options: [{ value: "", label: "Any risk" }, ...RISKS] },
        { name: "held", label: "Held", isFlag: true },
        { name: "leaked", label: "Token leaked", isFlag: true },
      ]}
      found={query.input && (await listSubjects(query.input))}
    >
      {(subject) => <SubjectRow key={subject.id} subject={subject} />}
    </ListPage>
  );
}

function SubjectRow({ subject }: { subject: ListedSubject }) {
  const { id, name, host, domainStatus, suspended, held, leaked, risk, denied, ownerEmail, at } = subject;
  return (
    <li className="row admin-row">
      <Link href={`${PATH}/${id}`} className="row-link admin-title">
        <AgentMark publicId={id} size={16} /> <UserText text={name} />
      </Link>
      <span className="admin-facts">
        {host ? <span>{host}</span> : null}
        <code>{id}</code>
        {ownerEmail ? <span>{ownerEmail}</span> : null}
        <Timestamp at={at} />
      </span>
      <span className="admin-marks">
        {suspended ? <span className="font-semibold text-danger">Suspended</span> : null}
        {held ? (
          <span className="font-semibold text-caution">{leaked ? "Held: management token leaked" : "Held"}</span>
        ) : null}
        {risk && risk !== "normal" ? <span>{risk === "high" ? "High risk" : "Low risk"}</span> : null}
        {denied.length > 0 ? <span>{denied.length} denied</span> : null}
        {domainStatus ? <StateLabel kind="domain" state={domainStatus} /> : null}
      </span>
    </li>
  );
}
