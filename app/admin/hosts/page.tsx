import { Link } from "#components/link.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { type HostFacts, listHosts } from "#lib/admin/page-reads/hosts.ts";
import { HOST_PREFIX, HostSubject, HostsQuery } from "#lib/admin/schema.ts";
import { adminMetadata } from "../admin-page.tsx";
import { ListPage, type ListProps, readList } from "../list-page.tsx";

export const generateMetadata = adminMetadata("Hosts");

const PATH = "/admin/hosts";

export default async function HostsPage(props: ListProps) {
  const { query } = await readList(HostsQuery, props);
  const found = query.input && (await listHosts(query.input));
  const named = HostSubject.safeParse(`${HOST_PREFIX}${query.given.q?.trim()}`);
  const other = named.success ? named.data.slice(HOST_PREFIX.length) : undefined;
  return (
    <ListPage
      at={PATH}
      title="Hosts"
      lead="Hosts with a hold or a risk level. A decision about a host applies to every identity on it, present and future."
      query={query}
      search="Host name, or part of it"
      filters={[{ name: "held", label: "Held", isFlag: true }]}
      between={
        other && !found?.rows.some(({ host }) => host === other) ? (
          <p className="mb-6 [overflow-wrap:anywhere]">
            <Link href={`${PATH}/${other}`}>Open the page of {other}</Link>. There are no decisions about it yet.
          </p>
        ) : null
      }
      found={found}
      cursor={(text) => /^[a-z0-9.-]{1,253}$/.test(text)}
      noMatch="No hosts with a hold or a risk level match. To open the page of another host, type its whole name."
      empty="No hosts have a hold or a risk level. To open the page of a host, type its whole name."
    >
      {(host) => <HostRow key={host.host} host={host} />}
    </ListPage>
  );
}

function HostRow({ host: { host, heldAt, risk, riskSource, updatedAt, identities, suspended } }: { host: HostFacts }) {
  return (
    <li className="row admin-row">
      <Link href={`${PATH}/${host}`} className="row-link admin-title">
        {host}
      </Link>
      <span className="admin-facts">
        <span>
          {identities} {identities === 1 ? "identity" : "identities"}, {suspended} suspended
        </span>
        {risk ? (
          <span>{riskSource === "suspension" ? "risk set after a suspension" : "risk set by an administrator"}</span>
        ) : null}
        {updatedAt ? <Timestamp at={updatedAt} /> : null}
      </span>
      <span className="admin-marks">
        {heldAt ? <span className="font-semibold text-caution">Held</span> : null}
        {risk ? <span>{`${risk.charAt(0).toUpperCase()}${risk.slice(1)} risk`}</span> : null}
      </span>
    </li>
  );
}
