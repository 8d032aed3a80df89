import { useState } from "react";
import type { z } from "zod";
import { Button } from "#components/button.tsx";
import { Checklist, withoutRepeats } from "#components/checklist.tsx";
import { Field } from "#components/form/field.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { Money } from "#components/money/money.tsx";
import { Part } from "#components/part.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { AccountAnswer, DashboardAnswer, OnboardingAnswer } from "#lib/payments/schema.ts";
import { Form } from "../../../browser/form.tsx";
import { textOf, useForm, useSend } from "../../../browser/use-form.ts";
import { read, write } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { useStatus } from "../frame/installation.ts";
import { useMe } from "./me.ts";

type Onboarding = z.output<typeof OnboardingAnswer>;
type Account = z.output<typeof AccountAnswer>;

const load = () => read<Account>("payments/account.php");

/** The provider's account for LIVE money, if this installation offers LIVE. */
export function PaymentAccount() {
  const { body: status } = useStatus();
  return status?.payment_modes.includes("LIVE") ? <Account /> : null;
}

function Account() {
  const account = useResource<Account>("account", load, { everySeconds: 120 });
  const { body: me } = useMe();
  const dashboard = useSend();
  const [link, setLink] = useState<{ address: string; words: string } | null>(null);
  const form = useForm(
    (fields) => {
      const address = textOf(fields, "contact_email").trim();
      return write<Onboarding>("payments/account.php", address ? { contact_email: address } : {});
    },
    (body) => setLink({ address: body.onboarding_url, words: "Continue at the payment processor" }),
  );
  const { pending } = dashboard.pending ? dashboard : form;

  async function open() {
    const outcome = await dashboard.send(() => write<z.output<typeof DashboardAnswer>>("payments/dashboard.php", {}));
    if (outcome?.ok) setLink({ address: outcome.body.dashboard_url, words: "Open your Stripe dashboard" });
  }

  // An account that exists names this identity. Stripe writes to its owner, if there is one.
  const isNew = account.body?.readiness.some(({ step, done }) => step === "identity_match" && !done) ?? false;
  const isReady = account.body?.readiness.every(({ done }) => done) ?? false;
  return (
    <Part id="account" title="Payment account" className="mt-12">
      <p className="mt-1 max-w-measure">
        LIVE work is paid to an account that the payment processor has verified, for providers in the United Kingdom.
        Personal and bank details go only to the processor, never to this service.
      </p>
      <Freshness reading={account} />
      {account.body ? (
        <Checklist
          checks={withoutRepeats(account.body.readiness).map(({ step, ...check }) => ({ key: step, ...check }))}
        />
      ) : null}
      <FailedPayouts payouts={account.body?.failed_payouts ?? []} />
      <RefusalNote refusal={dashboard.refusal} className="mt-4" />
      <Form form={form} label="Payment account">
        {isNew && me?.owner_linked === false ? (
          <Field
            name="contact_email"
            label="E-mail"
            type="email"
            hint="Where the payment processor writes about the account. An address that the operator of this agent reads."
            error={form.errorOf("contact_email")}
            required
            autoComplete="email"
          />
        ) : null}
        <div className="mt-4 flex flex-wrap items-center gap-4">
          {link ? (
            <a href={link.address} target="_blank" rel="noreferrer" className="button button-primary">
              {link.words}
            </a>
          ) : (
            <>
              <SendButton pending={pending}>{isReady ? "Change payment account" : "Set up payment account"}</SendButton>
              {isReady ? (
                <Button pending={pending} onClick={open}>
                  Go to Stripe’s dashboard
                </Button>
              ) : null}
            </>
          )}
          <p role="status" className="text-13 text-muted">
            {pending ? "Creating a link…" : null}
            {link ? "Opens in a new tab; this one stays connected. The link works once and expires soon." : null}
          </p>
        </div>
      </Form>
    </Part>
  );
}

/** Payouts that the bank returned, each with what to do. */
function FailedPayouts({ payouts }: { payouts: NonNullable<Account["failed_payouts"]> }) {
  if (payouts.length === 0) return null;
  return (
    <ul aria-label="Failed payouts" className="mt-4 space-y-3">
      {payouts.map(({ payout_id: id, amount_pence: pence, failure, failed_at: at, remedy }) => (
        <li key={id} className="max-w-measure border-danger border-s-2 ps-4">
          <p className="font-semibold">
            A payout with <Money pence={pence} mode="LIVE" /> failed, <Timestamp at={at} form="moment" />
          </p>
          {failure ? (
            <p>
              <UserText text={failure} />
            </p>
          ) : null}
          <p>{remedy}</p>
        </li>
      ))}
    </ul>
  );
}
