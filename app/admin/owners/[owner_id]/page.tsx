import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { Timestamp, WordsWithTime } from "#components/timestamp/timestamp.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { listEvents } from "#lib/admin/page-reads/audit.ts";
import { findOwnerFacts, type OwnerFacts } from "#lib/admin/page-reads/owners.ts";
import { AuditQuery } from "#lib/admin/schema.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";
import { AdminPage } from "../../admin-page.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";
import { Party } from "../../tasks/task-sections.tsx";

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

/** The decisions about a person's account. */
function OwnerActs({ owner, own }: { owner: OwnerFacts; own: boolean }) {
  const { id, email, role, disabledAt, sessions } = owner;
  const name = plainLine(owner.name);
  const fields = { owner_id: id };
  const who = `${name} (${email})`;
  return (
    <Acts own={own}>
      {disabledAt ? (
        <Act
          act="enable_owner"
          title="Enable the account"
          send={`Enable ${name}`}
          about={fields}
          done={`${name} can sign in again.`}
        >
          <p>Its owner can sign in again. Sessions that were ended are not restored.</p>
        </Act>
      ) : (
        <Act
          act="disable_owner"
          title="Disable the account"
          send={`Disable ${name}`}
          about={fields}
          question={{
            title: `Disable the account of ${who}?`,
            action: "Disable this account",
            text: "Nobody can sign in to it, and its sessions and connected programs end at once. Its agents keep working: suspend or hold them separately.",
          }}
          done={`${name} is disabled, and its sessions have ended.`}
        >
          <p>
            Nobody can sign in to it, and its sessions and connected programs end at once. Its agents keep working:
            suspend or hold them separately if needed.
          </p>
        </Act>
      )}
      <Act
        act="end_sessions"
        title="End all sessions"
        send={`End the sessions of ${name}`}
        about={fields}
        question={{
          title: `End all sessions of ${who}?`,
          action: "End these sessions",
          text: `${sessions === 1 ? "One session is" : `${sessions} sessions are`} open. The owner can sign in again.`,
        }}
        done={`The sessions of ${name} have ended.`}
      >
        <p>The owner has to sign in again in every browser.</p>
      </Act>
      <Act
        act="reset_password"
        title="Reset the password"
        send={`Reset the password of ${name}`}
        about={fields}
        question={{
          title: `Reset the password of ${who}?`,
          action: "Reset this password",
          text: "The old password stops working, all sessions end, and passkeys, the authenticator app and recovery codes are removed. The new password is shown to you once.",
        }}
        done={`${name} has a new password.`}
      >
        <p>
          For an owner who can no longer sign in. First make sure that you are talking to the account’s owner. All
          sessions end and second factors are removed; the new password is shown to you once.
        </p>
      </Act>
      {role === "administrator" ? (
        <Act
          act="demote"
          title="Demote to owner"
          send={`Demote ${name}`}
          about={fields}
          question={{
            title: `Demote ${who}?`,
            action: "Demote to owner",
            text: "The account loses access to the administration at once. It keeps its agents and sessions.",
          }}
          done={`${name} is no longer an administrator.`}
        >
          <p>It loses access to the administration at once. It keeps its agents and sessions.</p>
        </Act>
      ) : disabledAt ? null : (
        <Act
          act="promote"
          title="Make administrator"
          send={`Make ${name} an administrator`}
          about={fields}
          question={{
            title: `Make ${who} an administrator?`,
            action: "Make administrator",
            text: "The account gets a new password, which is shown to you once. Its sessions end, and linked sign-ins and second factors are removed.",
          }}
          done={`${name} is an administrator, with a new password.`}
        >
          <p>
            Anyone can register any e-mail address, so first make sure whose account this is. It gets a new password,
            its sessions end, and linked sign-ins and second factors are removed.
          </p>
        </Act>
      )}
    </Acts>
  );
}
