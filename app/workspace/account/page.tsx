import type { Metadata } from "next";
import { Fact, Facts } from "#components/facts.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { systemClock } from "#lib/kernel/clock.ts";
import { lacksRequiredFactor } from "#lib/owners/confirmation.ts";
import { readFactors } from "#lib/owners/factors/read.ts";
import { readAccount, readSessions, type SessionFacts } from "#lib/owners/read.ts";
import { requireOwner } from "../../owner.ts";
import { AccountPart } from "../account-part.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SecondFactors } from "./second-factors/second-factors.tsx";
import { SignOutEverywhere } from "./sign-out-everywhere.tsx";

export const metadata: Metadata = { title: "Your account" };

export default async function AccountPage() {
  const owner = await requireOwner("/workspace/account");
  const [account, sessions, factors] = await Promise.all([
    readAccount(owner),
    readSessions(owner),
    readFactors({ actor: owner, clock: systemClock }),
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
      <section aria-labelledby="sessions" className="mt-12">
        <h2 id="sessions" className="mb-3 font-semibold text-21">
          Sessions
        </h2>
        <ul className="mb-5 border-rule border-t">
          {sessions.map((session) => (
            <SessionRow key={session.openedAt} session={session} />
          ))}
        </ul>
        <SignOutEverywhere />
      </section>
      <SecondFactors factors={factors} isRequired={lacksRequiredFactor(owner)} />
      <section aria-labelledby="password" className="mt-12">
        <h2 id="password" className="mb-3 font-semibold text-21">
          Password
        </h2>
        {account.hasPassword ? (
          <PasswordForm email={account.email} />
        ) : (
          <p className="text-17">This account has none: you sign in through another service.</p>
        )}
      </section>
    </Page>
  );
}

function SessionRow({ session }: { session: SessionFacts }) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 border-rule border-b py-2">
      <span>
        {session.device}
        {session.isThis ? <strong className="font-semibold">, this one</strong> : null}
      </span>
      <span className="text-13 text-muted">
        since <Timestamp at={session.openedAt} form="moment" />, ends <Timestamp at={session.endsAt} />
      </span>
    </li>
  );
}
