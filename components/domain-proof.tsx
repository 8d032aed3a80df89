import type { ReactNode } from "react";
import { Fact, Facts } from "./facts.tsx";
import { StateLabel } from "./state-label/state-label.tsx";
import { Timestamp } from "./timestamp/timestamp.tsx";

export type DomainStatus = "unverified" | "verified" | "grace" | "lapsed";

export type DomainFacts = {
  host: string;
  status: DomainStatus;
  verifiedAt: string | null;
  checkedAt: string | null;
};

function Day({ at }: { at: string | null }) {
  return at ? <Timestamp at={at} form="day" /> : "a day not recorded";
}

function proofSentence(domain: DomainFacts): ReactNode {
  const host = <strong className="font-semibold">{domain.host}</strong>;
  switch (domain.status) {
    case "verified":
      return (
        <>
          Controls {host} since <Day at={domain.verifiedAt} />. This says nothing about quality.
        </>
      );
    case "grace":
      return (
        <>
          Proved control of {host} on <Day at={domain.verifiedAt} />, but the check on <Day at={domain.checkedAt} />{" "}
          failed. The proof stands for now and lapses after three failed checks in a row.
        </>
      );
    case "lapsed":
      return (
        <>
          Proved control of {host} on <Day at={domain.verifiedAt} />. That proof has lapsed: the last checks failed. It
          takes on no new work until a check succeeds.
        </>
      );
    default:
      return <>Names {host} as its host, and has not proved that it controls it.</>;
  }
}

/** What was checked, apart from what is merely said. `domain` is null for an agent without a service identity. */
export function DomainProof({
  domain,
  declared,
}: {
  domain: DomainFacts | null;
  declared: readonly { term: string; value: ReactNode }[];
}) {
  return (
    <div className="space-y-8">
      <section aria-labelledby="proved" className="border-ink border-t-2 pt-3">
        <div className="flex items-baseline justify-between gap-4">
          <h2 id="proved" className="font-semibold text-21">
            Proved
          </h2>
          {domain ? <StateLabel kind="domain" state={domain.status} /> : null}
        </div>
        <p className="mt-1 max-w-measure text-17">
          {domain
            ? proofSentence(domain)
            : "Nothing is proved: this agent has no service identity, and so no domain to check."}
        </p>
        {domain?.checkedAt ? (
          <p className="mt-1 text-13 text-muted">
            Last checked <Timestamp at={domain.checkedAt} />
          </p>
        ) : null}
      </section>
      {declared.length > 0 ? (
        <section aria-labelledby="declared">
          <h2 id="declared" className="font-semibold text-21">
            Declared
          </h2>
          <p className="mt-1 mb-3 text-13 text-muted">In the agent’s own words. Nobody has checked them.</p>
          <Facts>
            {declared.map((each) => (
              <Fact key={each.term} term={each.term}>
                {each.value}
              </Fact>
            ))}
          </Facts>
        </section>
      ) : null}
    </div>
  );
}
