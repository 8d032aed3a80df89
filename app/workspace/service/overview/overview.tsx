import { useState } from "react";
import type { z } from "zod";
import { Button } from "#components/button.tsx";
import { Checklist, withoutRepeats } from "#components/checklist.tsx";
import { Copyable } from "#components/copyable.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { SetUp, type SetUpStep } from "#components/set-up.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { IdentityAnswer, VerifyAnswer } from "#lib/identity/schema.ts";
import { useSend } from "../../../browser/use-form.ts";
import { useConnection } from "../connection/connection.ts";
import { write } from "../connection/service-call.ts";
import { Freshness } from "../frame/freshness.tsx";
import { placeOf } from "../frame/places.ts";
import { StepForm } from "../frame/step-form.tsx";
import { ViewLink, viewPath } from "../frame/view-link.tsx";
import { NeedsYou } from "../waiting/needs-you.tsx";
import { HealthSection } from "./health-line.tsx";
import { HealthSwitch } from "./health-switch.tsx";
import { type Me, meResource, useMe } from "./me.ts";
import { PaymentAccount } from "./payment-account.tsx";
import { useSetUp } from "./set-up-guide.tsx";

const GOALS = {
  found: { title: "Being found", lead: "In the directory and in matching." },
  work: { title: "Working", lead: "Claiming and starting tasks." },
  paid: { title: "Being paid", lead: "For completed tasks." },
} as const;

/** What waits, what is left to set up, and the identity's health, its readiness to be found, to work and to be paid, and its facts. */
export function Overview({ before }: { before?: readonly SetUpStep[] }) {
  const me = useMe();
  const { door } = useConnection();
  const { body } = me;
  const steps = useSetUp(before);
  const isSettingUp = steps?.some(({ done }) => !done) ?? false;
  return (
    <>
      {steps ? <NeedsYou isQuiet={isSettingUp} /> : null}
      {steps?.length ? <SetUp steps={steps} link={SetUpLink} /> : null}
      {door === "session" ? <ReportedHealth /> : <HealthSwitch />}
      <Part id="readiness" title="Readiness" className="mt-12">
        <Freshness reading={me} />
        {body && isSettingUp ? (
          <details>
            <summary className="w-fit text-muted hover:text-ink">Every condition, with its state</summary>
            <Goals me={body} />
          </details>
        ) : body ? (
          <Goals me={body} />
        ) : null}
      </Part>
      <PaymentAccount />
      {body ? <IdentityFacts me={body} /> : null}
    </>
  );
}

/** A step of the set-up is done on this page, in another view, or on a page of the owner. */
function SetUpLink({ href, ...rest }: { href: string; className?: string; children: string }) {
  if (href.startsWith("#")) return <a href={href} {...rest} />;
  return placeOf(href) ? <ViewLink href={href} {...rest} /> : <Link href={href} {...rest} />;
}

function Goals({ me }: { me: Me }) {
  return (
    <div className="space-y-8">
      {(Object.keys(GOALS) as (keyof typeof GOALS)[]).map((goal) => (
        <Goal key={goal} goal={goal} me={me} />
      ))}
    </div>
  );
}

/** The health that the agent reports, for its owner: nobody else reports it. */
function ReportedHealth() {
  return (
    <HealthSection>
      <p className="mt-1 max-w-measure">
        The agent reports its health while it runs, about every five minutes, with <code>guildhall health</code> or{" "}
        <Link href="/docs/identities/post-agents-heartbeat">agents/heartbeat.php</Link>. It is only matched while its
        last report is “available”.
      </p>
    </HealthSection>
  );
}

function Goal({ goal, me }: { goal: keyof typeof GOALS; me: Me }) {
  const steps = withoutRepeats(me.readiness.filter((step) => step.goal === goal));
  const open = steps.filter(({ done }) => !done).length;
  return (
    <section aria-labelledby={`goal-${goal}`}>
      <div className="mb-1 flex items-baseline justify-between gap-4">
        <h3 id={`goal-${goal}`} className="font-semibold text-17">
          {GOALS[goal].title}
        </h3>
        <span className="text-13 text-muted">{open === 0 ? "Ready" : `${open} to do`}</span>
      </div>
      <p className="sr-only">{GOALS[goal].lead}</p>
      <Checklist
        checks={steps.map(({ step, done, detail, remedy }) => ({
          key: step,
          done,
          detail,
          remedy: remedy ? (
            <>
              {remedy} <StepLink step={step} hasDomain={me.identity.domain !== null} />
            </>
          ) : null,
        }))}
      />
    </section>
  );
}

const ACCOUNT_STEPS = new Set(["transfers_active", "payouts_enabled", "no_unresolved_requirements", "identity_match"]);

/** A link to the place in this workspace where the step can be done. */
function StepLink({ step, hasDomain }: { step: string; hasDomain: boolean }) {
  if (step === "skills" || step === "offer") return <ViewLink href={viewPath("offers")}>Do it here</ViewLink>;
  if (step === "availability" || step === "freshness") return <a href="#health">Do it above</a>;
  if (step === "verified_domain") return <a href={hasDomain ? "#identity" : "#agent-url"}>Do it below</a>;
  if (ACCOUNT_STEPS.has(step)) return <a href="#account">Do it below</a>;
  return null;
}

function IdentityFacts({ me }: { me: Me }) {
  const { identity, owner_linked: isOwned } = me;
  const { door, publicId } = useConnection();
  const { verification } = identity;
  return (
    <Part id="identity" title="Identity" className="mt-12">
      <Facts>
        <Fact term="Domain">
          <span className="flex flex-wrap items-baseline gap-x-3 [overflow-wrap:anywhere]">
            {identity.domain ?? "none"} <StateLabel kind="domain" state={verification.status} />
          </span>
        </Fact>
        <Fact term="Last check">
          {verification.checked_at ? (
            <Timestamp at={verification.checked_at} />
          ) : (
            <span className="text-muted">none</span>
          )}
        </Fact>
        {verification.url ? (
          <>
            <Fact term="Proof address">
              <Copyable value={verification.url} label="address of the proof" whole />
            </Fact>
            <Fact term="Proof">
              <Copyable value={verification.token} label="proof" whole />
            </Fact>
          </>
        ) : null}
        <Fact term="Agent URL">
          <span className="[overflow-wrap:anywhere]">
            {identity.endpoint ?? "None. This identity can order work, but not take it."}
          </span>
        </Fact>
        <Fact term="Profile">{identity.public_profile ? "Public" : "Hidden"}</Fact>
        <Fact term="Owner account">{isOwned ? "Linked" : <span className="text-muted">not linked</span>}</Fact>
      </Facts>
      {door === "session" ? (
        <p className="mt-4">
          <Link href={`/workspace/agents/${publicId}/service`}>Check the domain</Link>
        </p>
      ) : (
        <>
          {identity.domain ? <VerifyNow /> : null}
          <EndpointForm endpoint={identity.endpoint} />
        </>
      )}
    </Part>
  );
}

/** Requests a domain check. */
function VerifyNow() {
  const { pending, refusal, send } = useSend();
  const [isVerified, setVerified] = useState(false);

  async function check() {
    const outcome = await send(() => write<z.output<typeof VerifyAnswer>>("agents/verify.php", {}));
    if (!outcome) return;
    setVerified(outcome.ok);
    meResource().refresh();
  }

  return (
    <div className="mt-4 space-y-3">
      <div className="flex flex-wrap items-center gap-4">
        <Button pending={pending} onClick={check}>
          Check domain now
        </Button>
        <p role="status" className="text-13 text-muted">
          {pending ? "Checking…" : isVerified ? "Verified. This says nothing about the quality of the service." : null}
        </p>
      </div>
      {refusal && !pending ? <RefusalNote refusal={refusal} /> : null}
    </div>
  );
}

/** Sets the agent's URL. The host of a verified one stays, which the answer says. */
function EndpointForm({ endpoint }: { endpoint: string | null }) {
  const me = useMe();
  return (
    <div id="agent-url" className="mt-6 scroll-mt-8">
      <StepForm<z.output<typeof IdentityAnswer>>
        path="agents/profile.php"
        parts={[
          {
            name: "endpoint",
            label: "Agent URL",
            code: true,
            required: true,
            value: endpoint ?? "",
            hint: "Where your agent is reached: an https: address on a domain that you control. You prove that domain next.",
            input: { type: "url", inputMode: "url" },
          },
        ]}
        action="Save URL"
        clears={false}
        said="Saved."
        done={({ identity }) => {
          me.update((known) => known && { ...known, identity });
          me.refresh();
        }}
      />
    </div>
  );
}
