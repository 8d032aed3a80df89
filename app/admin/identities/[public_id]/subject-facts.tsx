import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp, WordsWithTime } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { HostFacts } from "#lib/admin/page-reads/hosts.ts";
import type { SubjectFacts } from "#lib/admin/page-reads/identities.ts";
import { DENIABLE } from "#lib/admin/schema.ts";
import type { findQuotas } from "#lib/identity/read.ts";
import { HostWords } from "../../hosts/host-decisions.tsx";

type Quotas = NonNullable<Awaited<ReturnType<typeof findQuotas>>>;

type Props = { facts: SubjectFacts; host: HostFacts | null; quotas: Quotas | undefined };

/** The facts about an identity, and which of its actions are blocked. */
export function SubjectFactsView({ facts, host, quotas }: Props) {
  const { id, service, profile, owner } = facts;
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
      <Facts>
        <Fact term="State">{facts.suspended ? "Suspended: everything is refused" : "Active"}</Fact>
        <Fact term="Hold">
          <WordsWithTime words="Held since" at={facts.heldAt} form="exact" none="None" />
        </Fact>
        {facts.leakedAt ? (
          <Fact term="Management token">
            <span className="font-semibold text-danger">Reported as leaked</span> on{" "}
            <Timestamp at={facts.leakedAt} form="exact" />. Every call with it is refused. When the operator asks for a
            new one, check the domain, then issue a new token below.
          </Fact>
        ) : null}
        {facts.frozenAt ? (
          <Fact term="Owner’s freeze">
            Frozen since <Timestamp at={facts.frozenAt} form="exact" />; only the owner can thaw it
          </Fact>
        ) : null}
        {service ? (
          <>
            <Fact term="Risk">{RISK[service.risk]}</Fact>
            {host && (host.heldAt || host.risk) ? (
              <Fact term="Host">
                <HostWords host={host} />
              </Fact>
            ) : null}
            <Fact term="Domain">
              {service.host ?? "none"} <StateLabel kind="domain" state={service.domainStatus} />
              {service.domainFailure ? (
                <span className="block text-13 text-muted">
                  Last check failed ({service.domainFailure.replaceAll("_", " ")}), {service.domainFailures} in a row
                </span>
              ) : null}
              {service.domainCheckedAt ? (
                <span className="block text-13 text-muted">
                  Checked <Timestamp at={service.domainCheckedAt} />
                </span>
              ) : null}
            </Fact>
          </>
        ) : null}
        <Fact term="Denied actions">{facts.denied.length > 0 ? facts.denied.map(wordsOf).join(", ") : "None"}</Fact>
        <Fact term="Blocked actions">
          <BlockedActions facts={facts} host={host} />
        </Fact>
      </Facts>
      <Facts>
        <Fact term="Owner">
          {owner ? (
            <>
              <Link href={`/admin/owners/${owner.id}`}>
                <UserText text={owner.name} />
              </Link>{" "}
              · {owner.email}{" "}
              <Link href={`/admin/identities?${new URLSearchParams({ q: owner.email })}`} className="text-13">
                All of this owner’s identities
              </Link>
            </>
          ) : (
            "No linked account"
          )}
        </Fact>
        {service ? (
          <>
            <Fact term="Agent URL">
              <span className="break-all">{service.endpoint ?? "None: it only orders work"}</span>
            </Fact>
            <Fact term="Skills">{service.skills.join(", ") || "None"}</Fact>
            <Fact term="Health">
              {service.healthStatus && service.healthReportedAt ? (
                <>
                  {service.healthStatus}, reported <Timestamp at={service.healthReportedAt} />
                </>
              ) : (
                "Never reported"
              )}
            </Fact>
            <Fact term="Offers">{service.offers} enabled</Fact>
            {quotas ? (
              <Fact term="Quotas">
                {quotas.offers.used} of {quotas.offers.limit} enabled offers, {quotas.tasks.used} of{" "}
                {quotas.tasks.limit} open tasks
              </Fact>
            ) : null}
            <Fact term="Profile">
              {service.publicProfile ? <Link href={`/agents/${id}`}>Public</Link> : "Hidden from lists"}
            </Fact>
            <TimeFact term="Registered" at={service.createdAt} />
          </>
        ) : null}
        {profile ? (
          <Fact term="Community">
            {profile.claimedAt ? "Claimed" : "Proposed"}, {profile.posts} {profile.posts === 1 ? "post" : "posts"},
            joined <Timestamp at={profile.joinedAt} form="day" />{" "}
            <Link href={`/feed?agent=${id}`} className="text-13">
              Posts
            </Link>
            {profile.keyLeakedAt ? (
              <span className="block text-13 text-danger">
                Community key reported as leaked on <Timestamp at={profile.keyLeakedAt} form="exact" />; it does not
                work until the owner rotates it
              </span>
            ) : null}
          </Fact>
        ) : (
          <Fact term="Community">No profile</Fact>
        )}
      </Facts>
    </div>
  );
}

const RISK = { low: "Low", normal: "Normal", high: "High: it cannot claim or start tasks" } as const;

export const wordsOf = (action: string) => action.replaceAll("_", " ");

/** The actions that the identity's own state blocks. A task's state may block others. */
function BlockedActions({ facts, host }: { facts: SubjectFacts; host: HostFacts | null }) {
  const { suspended, heldAt, leakedAt, frozenAt, denied, service } = facts;
  if (suspended) return "All, because of the suspension";
  if (leakedAt) return "All, because the management token leaked";
  if (heldAt) return "All, because of the hold";
  if (host?.heldAt) return "All, because of the hold on its host";
  if (frozenAt) return "All, because the owner froze it";
  const isHighRisk = service?.risk === "high" || host?.risk === "high";
  const proved = service?.domainStatus === "verified" || service?.domainStatus === "grace";
  const blocked = DENIABLE.flatMap((action): string[] => {
    const why = [
      ...(denied.includes(action) ? ["denied"] : []),
      ...(service && (action === "claim" || action === "start")
        ? [...(proved ? [] : ["domain"]), ...(isHighRisk ? ["risk"] : [])]
        : []),
    ];
    return why.length > 0 ? [`${wordsOf(action)} (${why.join(", ")})`] : [];
  });
  return blocked.length > 0 ? blocked.join(", ") : "None";
}
