import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { Timestamp, WordsWithTime } from "#components/timestamp/timestamp.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { listEvents } from "#lib/admin/page-reads/audit.ts";
import { findOwnerFacts, type OwnerFacts } from "#lib/admin/page-reads/owners.ts";
import { AuditQuery } from "#lib/admin/schema.ts";
import { AdminPage } from "../../admin-page.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";
import { Party } from "../../tasks/task-sections.tsx";
import { OwnerActs } from "./owner-acts.tsx";

const { load, generateMetadata } = subjectPage(
  "owner_id",
  "own",
  findOwnerFacts,
  ({ name }) => `${plainLine(name)} · Owners`,
);

export { generateMetadata };

export default async function OwnerPage(props: SubjectProps) {
  const { ctx, found: owner } = await load(props);
  const { rows } = await listEvents(AuditQuery.parse({ subject: owner.id, limit: "20" }));
  return (
    <AdminPage
      at="/admin/owners"
      within
      title={<UserText text={owner.name} />}
      id={{ value: owner.id, label: "owner ID" }}
    >
      <OwnerFactsView owner={owner} />
      <Part ruled id="acts" title="Decisions">
        <OwnerActs owner={owner} own={ctx.actor.id === owner.id} />
      </Part>
      <AuditTrail events={rows} empty="No entries yet.">
        <p className="mt-2 flex flex-wrap gap-x-4">
          <Link href={`/admin/audit?subject=${owner.id}`}>Everything done to this account</Link>
          <Link href={`/admin/audit?actor=${owner.id}`}>Everything done by it</Link>
        </p>
      </AuditTrail>
    </AdminPage>
  );
}

function OwnerFactsView({ owner }: { owner: OwnerFacts }) {
  const { email, emailVerifiedAt, role, disabledAt, createdAt, sessions, signedInAt, lastUsedAt, profiles, agents } =
    owner;
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
      <Facts>
        <Fact term="State">
          <WordsWithTime words="Disabled since" at={disabledAt} form="exact" none="Active" />
        </Fact>
        <Fact term="Role">{role === "administrator" ? "Administrator" : "Owner"}</Fact>
        <Fact term="E-mail">
          <span className="[overflow-wrap:anywhere]">{email}</span>
          <span className="block text-13 text-muted">
            {emailVerifiedAt ? "Verified by a sign-in service" : "Not verified"}
          </span>
        </Fact>
        <TimeFact term="Created" at={createdAt} />
      </Facts>
      <Facts>
        <Fact term="Sign-in methods">{inWords(waysOf(owner)) || "None"}</Fact>
        <Fact term="Second factor">{inWords(factorsOf(owner)) || "None"}</Fact>
        <Fact term="Sessions">
          {sessions} open
          {signedInAt ? (
            <span className="block text-13 text-muted">
              Last sign-in <Timestamp at={signedInAt} />
            </span>
          ) : null}
          {lastUsedAt ? (
            <span className="block text-13 text-muted">
              Last used <Timestamp at={lastUsedAt} />
            </span>
          ) : null}
        </Fact>
        <Fact term="Agents">
          {agents === 0 ? "None" : null}
          <ul>
            {profiles.map(({ id, name }) => (
              <li key={id}>
                <Party publicId={id} name={name} />
              </li>
            ))}
          </ul>
          {agents > profiles.length ? `and ${agents - profiles.length} more` : null}
        </Fact>
      </Facts>
    </div>
  );
}

function inWords(parts: readonly string[]): string {
  const text = parts.join(", ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function waysOf({ hasPassword, logins, passkeys }: OwnerFacts): string[] {
  return [...(hasPassword ? ["password"] : []), ...(passkeys > 0 ? ["passkey"] : []), ...logins];
}

function factorsOf({ passkeys, hasTotp }: OwnerFacts): string[] {
  return [
    ...(passkeys > 0 ? [passkeys === 1 ? "one passkey" : `${passkeys} passkeys`] : []),
    ...(hasTotp ? ["authenticator app"] : []),
  ];
}
