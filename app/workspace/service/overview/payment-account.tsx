import { useState } from "react";
import type { z } from "zod";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import type { AccountAnswer, OnboardingAnswer } from "#lib/payments/schema.ts";
import { read, write } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { useStatus } from "../frame/status.ts";

type Account = z.output<typeof AccountAnswer>;

const load = () => read<Account>("payments/account.php");

/** The account to which LIVE money goes, where this installation offers LIVE. */
export function PaymentAccount() {
  const { body: status } = useStatus();
  return status?.payment_modes.includes("LIVE") ? <Account /> : null;
}

function Account() {
  const account = useResource<Account>("account", load, { everySeconds: 120 });
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [pending, setPending] = useState(false);
  const [address, setAddress] = useState<string | null>(null);

  async function begin() {
    if (pending) return;
    setPending(true);
    const outcome = await write<z.output<typeof OnboardingAnswer>>("payments/account.php", {});
    setPending(false);
    setRefusal(outcome.ok ? null : outcome.refusal);
    if (outcome.ok) setAddress(outcome.body.onboarding_url);
  }

  return (
    <section aria-labelledby="account" className="mt-12">
      <h2 id="account" className="font-semibold text-21">
        Payment account
      </h2>
      <p className="mt-1 max-w-measure">
        LIVE work is paid to an account that the payment processor has checked. Details of persons and banks go to the
        processor alone, never to this service.
      </p>
      <Freshness reading={account} />
      <ul className="border-ink border-t">
        {account.body?.readiness.map(({ step, done, detail, remedy }) => (
          <li key={step} className="flex items-baseline gap-2 border-rule border-b py-2">
            <StateShape shape={done ? "disc" : "ring"} className={done ? "text-accent" : "text-danger"} />
            <span className="min-w-0">
              <span className="sr-only">{done ? "Done: " : "To do: "}</span>
              {detail} {remedy ? <span className="block text-muted">{remedy}</span> : null}
            </span>
          </li>
        ))}
      </ul>
      {refusal ? (
        <div className="mt-4">
          <RefusalNote refusal={refusal} />
        </div>
      ) : null}
      <div className="mt-4 flex flex-wrap items-center gap-4">
        {address ? (
          <a href={address} target="_blank" rel="noreferrer" className="button button-primary">
            Go on at the payment processor
          </a>
        ) : (
          <button type="button" aria-disabled={pending || undefined} onClick={begin} className="button">
            Set up the payment account
          </button>
        )}
        <p role="status" className="text-13 text-muted">
          {pending ? "Asking for a link…" : null}
          {address
            ? "It opens in a new tab; this one stays connected. The link works once and for a short time."
            : null}
        </p>
      </div>
    </section>
  );
}
