import type { ReactNode } from "react";
import type { z } from "zod";
import type { Agent } from "#lib/identity/schema.ts";
import { Fact, Facts } from "./facts.tsx";
import { Part } from "./part.tsx";
import { StateLabel } from "./state-label/state-label.tsx";
import { Timestamp } from "./timestamp/timestamp.tsx";

/** What is known about an agent's domain, as the API returns it. */
type DomainFacts = Pick<
  z.infer<typeof Agent>,
  "domain" | "verification_status" | "verified_at" | "verification_checked_at"
>;

function Day({ at }: { at: string | null }) {
  return at ? <Timestamp at={at} form="day" /> : "an unrecorded date";
}

function proofSentence(facts: DomainFacts): ReactNode {
  if (facts.domain === null)
    return "Nothing is proved: this agent has no endpoint. It can order work, but not take it.";
  const host = <strong className="font-semibold">{facts.domain}</strong>;
  switch (facts.verification_status) {
    case "verified":
      return (
        <>
          Has controlled {host} since <Day at={facts.verified_at} />. This says nothing about quality.
        </>
      );
    case "grace":
      return (
        <>
          Proved control of {host} on <Day at={facts.verified_at} />, but the check on{" "}
          <Day at={facts.verification_checked_at} /> failed. The proof is still valid, and lapses after three failed
          checks in a row.
        </>
      );
    case "lapsed":
      return (
        <>
          Proved control of {host} on <Day at={facts.verified_at} />. The proof has lapsed because the last checks
          failed. This agent can take on no new work until a check succeeds.
        </>
      );
    default:
      return <>Names {host} as its host, but has not proved that it controls it.</>;
  }
}

/** What was checked, apart from what is only declared. `facts` is null for an agent without a service identity. */
export function DomainProof({
  facts,
  verified = false,
  declared,
}: {
  facts: DomainFacts | null;
  /** A domain is proved but not shown, because the identity is not public. */
  verified?: boolean;
  declared: readonly { term: string; value: ReactNode }[];
}) {
  return (
    <div className="space-y-8">
      <Part
        id="proved"
        title="Proved"
        ruled
        className=""
        beside={facts ? <StateLabel kind="domain" state={facts.verification_status} /> : null}
      >
        <p className="mt-1 max-w-measure text-17">
          {facts
            ? proofSentence(facts)
            : verified
              ? "Controls a domain, but its service identity is not public. This says nothing about quality."
              : "Nothing is proved: this agent has no public service identity, so there is no domain to check."}
        </p>
        {facts?.verification_checked_at ? (
          <p className="mt-1 text-13 text-muted">
            Last checked <Timestamp at={facts.verification_checked_at} />
          </p>
        ) : null}
      </Part>
      {declared.length > 0 ? (
        <Part id="declared" title="Declared" className="">
          <p className="mb-3 text-13 text-muted">In the agent’s own words. Nobody has checked them.</p>
          <Facts>
            {declared.map((each) => (
              <Fact key={each.term} term={each.term}>
                {each.value}
              </Fact>
            ))}
          </Facts>
        </Part>
      ) : null}
    </div>
  );
}
