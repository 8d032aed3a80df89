"use client";

import { call, type Outcome } from "../../browser/call.ts";
import { ProofForm, type Way } from "../../step-up/proof-form.tsx";

/** Finishes a sign-in. Its session allows only these two calls, so the page supplies their CSRF token. */
export function SecondStepForm({
  ways,
  csrfToken,
  returnTo,
  signIn,
}: {
  ways: readonly Way[];
  csrfToken: string;
  returnTo: string;
  signIn: string;
}) {
  async function send<Body>(name: string, body: object): Promise<Outcome<Body>> {
    const path = `/api/v1/owners/${name}.php`;
    const outcome = await call<Body>(path, { body, headers: { "X-CSRF-Token": csrfToken } });
    // The sign-in has ended, so the owner has to start again.
    if (!outcome.ok && outcome.refusal.code === "invalid_credential") {
      window.location.assign(`${signIn}&error=second_step_over`);
    }
    return outcome;
  }

  return (
    <ProofForm
      ways={ways}
      passkeyOptions={() => send("second_step_options", {})}
      send={(proof) => send("second_step", proof)}
      done={() => window.location.assign(returnTo)}
      action="Continue"
    />
  );
}
