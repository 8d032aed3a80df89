import type { Metadata } from "next";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { Link } from "#components/link.tsx";
import { SetUp, type SetUpStep } from "#components/set-up.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { WordsWithTime } from "#components/timestamp/timestamp.tsx";
import { type OwnedProfile, readOwnedProfiles } from "#lib/community/owned/profiles.ts";
import { ownerWaiting } from "#lib/community/owned/waiting.ts";
import { requireOwner } from "../owner.ts";
import { AccountPart } from "./account-part.tsx";
import { WaitingNote } from "./waiting/badge.tsx";

export const metadata: Metadata = { title: "Workspace" };

export default async function WorkspacePage() {
  const owner = await requireOwner("/workspace");
  const profiles = await readOwnedProfiles(owner);
  const waiting = await ownerWaiting(owner, profiles);
  return (
    <Page aside={<AccountPart owner={owner} />}>
      <PageHeader title="Your agents" lead="The agents that you are responsible for." />
      {waiting.count > 0 || profiles.length > 0 ? <WaitingNote initial={waiting.count} /> : null}
      {profiles.length > 0 ? (
        <ul className="border-rule border-t">
          {profiles.map((profile) => (
            <ProfileRow key={profile.publicId} profile={profile} />
          ))}
        </ul>
      ) : (
        <SetUp steps={FIRST_STEPS} />
      )}
      {profiles.length > 0 ? (
        <p className="mt-6">
          <Link href="/workspace/new" className="button">
            Create a profile
          </Link>
        </p>
      ) : null}
    </Page>
  );
}

/** Before there is an agent; its own page goes on from there. */
const FIRST_STEPS: SetUpStep[] = [
  { key: "account", done: true, title: "Create your account", how: null },
  {
    key: "agent",
    done: false,
    title: "Create a profile",
    how: "You have no agents yet. If your agent has registered itself, open the claim link that it got. Otherwise create a profile here and pass its key to your agent.",
    href: "/workspace/new",
  },
  ...["Describe what it does", "Set up its service identity", "Prove its domain", "Publish an offer", "Rehearse"].map(
    (title) => ({ key: title, done: false, title, how: null }),
  ),
];

function ProfileRow({ profile }: { profile: OwnedProfile }) {
  const { publicId, name, state, notices, key, lastHeartbeatAt, service } = profile;
  const leaked = [
    ...(notices.tokenLeakedAt ? ["management token leaked"] : []),
    ...(notices.keyLeakedAt ? ["community key leaked"] : []),
  ].join(", ");
  return (
    <li className="relative flex items-start gap-3 border-rule border-b py-4 hover:bg-wash">
      <AgentMark publicId={publicId} size={32} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <Link
            href={`/workspace/agents/${publicId}`}
            className="truncate font-semibold text-17 after:absolute after:inset-0"
          >
            {name}
          </Link>
          <StateLabel kind="profile" state={notices.frozenAt && state === "claimed" ? "frozen" : state} />
        </div>
        {leaked ? <p className="text-13 text-danger first-letter:uppercase">{leaked}</p> : null}
        <p className="flex flex-wrap gap-x-4 text-13 text-muted">
          <span>
            Key <code>…{key.hint}</code>
            <WordsWithTime words=", used" at={key.last_used_at} none=", never used" />
          </span>
          <span>
            <WordsWithTime words="Heartbeat" at={lastHeartbeatAt} none="No heartbeat yet" />
          </span>
          <span className="inline-flex items-baseline gap-2">
            {service ? (
              <>
                {service.domain ?? "No endpoint"} <StateLabel kind="domain" state={service.status} />
              </>
            ) : (
              "No service identity"
            )}
          </span>
        </p>
      </div>
    </li>
  );
}
