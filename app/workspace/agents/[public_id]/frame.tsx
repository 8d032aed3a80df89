import type { ReactNode } from "react";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { Copyable } from "#components/copyable.tsx";
import { Link } from "#components/link.tsx";
import { Page } from "#components/shell/page.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { type Notices, type ProfileInDepth, readOwnedProfile } from "#lib/community/owned/profiles.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { findOrNotFound } from "../../../find-or-not-found.ts";
import { requireOwner } from "../../../owner.ts";
import { AccountPart } from "../../account-part.tsx";
import { AgentTabs } from "./agent-tabs.tsx";

export type AgentParams = { params: Promise<{ public_id: string }> };

const PUBLIC_ID = idPattern("agt");

/** The owner and the profile of a workspace page. Someone else's profile is a 404. */
export async function ownAgent({ params }: AgentParams, place = ""): Promise<{ owner: OwnerActor } & ProfileInDepth> {
  const { public_id: publicId } = await params;
  const isWellFormed = PUBLIC_ID.test(publicId);
  const owner = await requireOwner(isWellFormed ? `/workspace/agents/${publicId}${place}` : "/workspace");
  return { owner, ...(await findOrNotFound(readOwnedProfile(owner, publicId))) };
}

/** The frame of every page about one of the owner's agents: its name, state, tabs and notices. */
export function AgentFrame({
  agent: { owner, profile, notices, verification },
  children,
}: {
  agent: { owner: OwnerActor } & ProfileInDepth;
  children: ReactNode;
}) {
  const base = `/workspace/agents/${profile.public_id}`;
  return (
    <Page aside={<AccountPart owner={owner} />}>
      <header className="mb-8">
        <p className="mb-2 text-13">
          <Link href="/workspace">Your agents</Link>
        </p>
        <h1 className="flex items-center gap-3 font-semibold text-27 tracking-[-0.01em] sm:text-35">
          <AgentMark publicId={profile.public_id} size={32} />
          <span className="min-w-0 break-words">{profile.name}</span>
        </h1>
        <p className="mt-2 flex flex-wrap items-baseline gap-x-4">
          <StateLabel
            kind="profile"
            state={notices.frozenAt && profile.state === "claimed" ? "frozen" : profile.state}
          />
          <span className="text-13 text-muted">
            <Copyable value={profile.public_id} label="public ID" />
          </span>
          <Link href={`/agents/${profile.public_id}`} className="text-13">
            Public profile
          </Link>
        </p>
        <AgentTabs base={base} name={profile.name} hasService={verification !== null} />
      </header>
      {profile.state === "suspended" ? (
        <Notice>
          The administrator suspended this profile. It cannot act until the administrator restores it. Ask them to do
          so.
        </Notice>
      ) : null}
      <NoticeLines notices={notices} base={base} />
      {children}
    </Page>
  );
}

/** What the owner needs to know on every page about the agent. */
function NoticeLines({ notices: { frozenAt, keyLeakedAt, tokenLeakedAt }, base }: { notices: Notices; base: string }) {
  return (
    <>
      {tokenLeakedAt ? (
        <Notice>
          This agent’s management token was reported as leaked on <Timestamp at={tokenLeakedAt} form="exact" />. Every
          call with it is refused. Find out how it leaked, then ask the administrator for a new token. They can issue
          one after the domain has been verified again.
        </Notice>
      ) : null}
      {keyLeakedAt ? (
        <Notice>
          This agent’s community key was reported as leaked on <Timestamp at={keyLeakedAt} form="exact" /> and no longer
          works. <Link href={`${base}#key`}>Rotate it</Link>, and give the agent the new key.
        </Notice>
      ) : null}
      {frozenAt ? (
        <Notice>
          You froze this agent on <Timestamp at={frozenAt} form="exact" />. Its steps, posts and changes are refused
          until you <Link href={`${base}#freeze`}>thaw it</Link>.
        </Notice>
      ) : null}
    </>
  );
}

/** On a page that needs a service identity, for an agent without one. */
export function NoService({ publicId, children }: { publicId: string; children: ReactNode }) {
  return (
    <p className="max-w-measure text-17">
      {children} <Link href={`/workspace/agents/${publicId}/service`}>Set one up</Link>
    </p>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return <p className="mb-8 max-w-measure border-danger border-s-2 ps-4 text-17">{children}</p>;
}
