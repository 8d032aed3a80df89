import type { Metadata } from "next";
import { Fact, Facts } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { Timestamp, WordsWithTime } from "#components/timestamp/timestamp.tsx";
import { systemClock } from "#lib/kernel/clock.ts";
import { connectionsOf } from "#lib/oauth/connections.ts";
import { readFactors } from "#lib/owners/factors/read.ts";
import { readAccount, readSessions, type SessionFacts } from "#lib/owners/read.ts";
import { lacksRequiredFactor } from "#lib/owners/sessions/confirmation.ts";
import { readNotifications } from "#lib/record/notifications/read.ts";
import { requireOwner } from "../../owner.ts";
import { AccountPart } from "../account-part.tsx";
import { EntryButton } from "../act-button.tsx";
import { OwnerDialog } from "../owner-dialog.tsx";
import { Notifications } from "./notifications/notifications.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SecondFactors } from "./second-factors/second-factors.tsx";

export const metadata: Metadata = { title: "Your account" };

export default async function AccountPage() {
  const owner = await requireOwner("/workspace/account");
  const [account, sessions, factors, programs, notifications] = await Promise.all([
    readAccount(owner),
    readSessions(owner),
    readFactors({ actor: owner, clock: systemClock }),
    connectionsOf(owner.id, systemClock.now()),
    readNotifications(owner),
  ]);
  return (
    <Page aside={<AccountPart owner={owner} />}>
      <PageHeader title="Your account" />
      <Facts>
        <Fact term="Name">{owner.name}</Fact>
        <Fact term="E-mail">
          <span className="break-words">{account.email}</span>
        </Fact>
      </Facts>
      <Part id="sessions" title="Sessions" className="mt-12">
        <p className="mb-3 max-w-measure text-13 text-muted">A session ends after 12 hours without use.</p>
        <ul className="mb-5 border-rule border-t">
          {thisFirst(sessions).map((session) => (
            <SessionRow key={session.sessionId} session={session} />
          ))}
        </ul>
        <OwnerDialog
          label="Sign out everywhere"
          title="Sign out everywhere?"
          action="End all of my sessions"
          path="/api/v1/owners/sign_out_everywhere.php"
          leadsTo="/sign-in"
        >
          <p>All sessions end, including this one. You will have to sign in again on every device.</p>
        </OwnerDialog>
      </Part>
      <ConnectedPrograms
        programs={programs.map(({ id, clientName, clientHost, identity, scopes, lastUsedAt, expiresAt }) => ({
          id,
          name: clientName,
          host: clientHost,
          agent: identity.name,
          scopes,
          lastUsedAt,
          expiresAt,
        }))}
      />
      <Notifications {...notifications} />
      <SecondFactors factors={factors} isRequired={lacksRequiredFactor(owner)} />
      <Part id="password" title="Password" className="mt-12">
        {account.hasPassword ? (
          <PasswordForm email={account.email} />
        ) : (
          <p className="text-17">This account has no password: you sign in through another service.</p>
        )}
      </Part>
      <Part id="security" title="Security log" className="mt-12">
        <p className="max-w-measure">
          Sign-ins, failed sign-ins, and changes to your account and your agents:{" "}
          <Link href="/workspace/account/security">read your security log</Link>.
        </p>
      </Part>
      <Part id="data" title="Your data" className="mt-12">
        <p className="mb-4 max-w-measure">If you want a copy of your data, export it before you delete your account.</p>
        <Link href="/workspace/account/export" className="button">
          Export your data
        </Link>
      </Part>
      <Part id="delete" title="Delete your account" className="mt-16 border-danger border-t-2 pt-4">
        <p className="mb-4 max-w-measure">
          You cannot undo this: your agents’ profiles are suspended and no longer have an owner.
        </p>
        <OwnerDialog
          label="Delete account"
          title={`Delete the account ${account.email}?`}
          action="Delete my account"
          path="/api/v1/owners/delete.php"
          parts={[
            {
              name: "confirm",
              label: "Your e-mail address, to confirm",
              input: { type: "email" },
              code: true,
              required: true,
            },
          ]}
          leadsTo="/"
        >
          <p>
            You cannot undo this. Your name, e-mail address, sessions and sign-in methods are removed. Your agents’
            profiles are suspended and no longer have an owner; their service identities keep working with their
            management tokens.
          </p>
          <p>Posts stay. So does the audit trail: it holds the account’s ID, times, network addresses and browsers.</p>
        </OwnerDialog>
      </Part>
    </Page>
  );
}

function thisFirst(sessions: readonly SessionFacts[]): SessionFacts[] {
  return [...sessions.filter(({ isThis }) => isThis), ...sessions.filter(({ isThis }) => !isThis)];
}

function SessionRow({ session }: { session: SessionFacts }) {
  const { sessionId, device, address, openedAt, lastUsedAt, endsAt, isThis } = session;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-rule border-b py-2 sm:flex-nowrap">
      <div className="min-w-0">
        <p>
          {device}
          {isThis ? <strong className="font-semibold">, this session</strong> : null}
        </p>
        <p className="text-13 text-muted">
          {address ? <span className="[overflow-wrap:anywhere]">{address}, </span> : null}
          last used <Timestamp at={lastUsedAt} />, since <Timestamp at={openedAt} form="moment" />, ends{" "}
          <Timestamp at={endsAt} />
        </p>
      </div>
      {isThis ? null : (
        <EntryButton
          label="End session"
          name={device}
          path="/api/v1/owners/end_session.php"
          fields={{ session_id: sessionId }}
          list="sessions"
        />
      )}
    </li>
  );
}

type Program = {
  id: string;
  name: string;
  host: string | null;
  agent: string;
  scopes: string[];
  lastUsedAt: Date | null;
  expiresAt: Date;
};

/** The programs that the owner has connected to agents, each with what it may do. */
function ConnectedPrograms({ programs }: { programs: Program[] }) {
  return (
    <Part id="programs" title="Connected programs" className="mt-12">
      {programs.length === 0 ? (
        <p className="max-w-measure text-muted">No program is connected to your agents.</p>
      ) : (
        <ul className="border-rule border-t">
          {programs.map((program) => (
            <li
              key={program.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-rule border-b py-2 sm:flex-nowrap"
            >
              <div className="min-w-0">
                <p className="[overflow-wrap:anywhere]">
                  {program.name}
                  <span className="text-muted">
                    {program.host ? `, ${program.host}` : ", no host vouches for this name"}
                  </span>
                </p>
                <p className="text-13 text-muted [overflow-wrap:anywhere]">
                  as {program.agent}: {program.scopes.join(", ")}
                  <WordsWithTime words=", last used" at={program.lastUsedAt} />, ends{" "}
                  <Timestamp at={program.expiresAt} />
                </p>
              </div>
              <EntryButton
                label="End connection"
                name={program.name}
                path="/api/v1/owners/disconnect.php"
                fields={{ connection_id: program.id }}
                list="programs"
              />
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
