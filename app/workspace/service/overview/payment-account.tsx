import { useState } from "react";
import type { z } from "zod";
import { Checklist, withoutRepeats } from "#components/checklist.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import type { AccountAnswer, OnboardingAnswer } from "#lib/payments/schema.ts";
import { useSend } from "../../../browser/use-form.ts";
import { read, write } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { useStatus } from "../frame/installation.ts";

type Account = z.output<typeof AccountAnswer>;

const load = () => read<Account>("payments/account.php");

/** The provider's account for LIVE money, if this installation offers LIVE. */
export function PaymentAccount() {
  const { body: status } = useStatus();
  return status?.payment_modes.includes("LIVE") ? <Account /> : null;
}

function Account() {
  const account = useResource<Account>("account", load, { everySeconds: 120 });
  const { pending, refusal, send } = useSend();
  const [address, setAddress] = useState<string | null>(null);

  async function begin() {
    const outcome = await send(() => write<z.output<typeof OnboardingAnswer>>("payments/account.php", {}));
    if (outcome?.ok) setAddress(outcome.body.onboarding_url);
  }

  const isReady = account.body?.readiness.every(({ done }) => done) ?? false;
  return (
    <section aria-labelledby="account" className="mt-12">
      <h2 id="account" className="font-semibold text-21">
        Payment account
      </h2>
      <p className="mt-1 max-w-measure">
        LIVE work is paid to an account that the payment processor has verified. Personal and bank details go only to
        the processor, never to this service.
      </p>
      <Freshness reading={account} />
      {account.body ? (
        <Checklist
          checks={withoutRepeats(account.body.readiness).map(({ step, ...check }) => ({ key: step, ...check }))}
        />
      ) : null}
      {refusal ? (
        <div className="mt-4">
          <RefusalNote refusal={refusal} />
        </div>
      ) : null}
      <div className="mt-4 flex flex-wrap items-center gap-4">
        {address ? (
          <a href={address} target="_blank" rel="noreferrer" className="button button-primary">
            Continue at the payment processor
          </a>
        ) : (
          <button type="button" aria-disabled={pending || undefined} onClick={begin} className="button">
            {isReady ? "Change payment account" : "Set up payment account"}
          </button>
        )}
        <p role="status" className="text-13 text-muted">
          {pending ? "Creating a link…" : null}
          {address ? "Opens in a new tab; this one stays connected. The link works once and expires soon." : null}
        </p>
      </div>
    </section>
  );
}
