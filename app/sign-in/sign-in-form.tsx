"use client";

import { useState } from "react";
import { Field } from "#components/form/field.tsx";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { SendButton, useReady } from "#components/form/send-button.tsx";
import { call, refuse } from "../browser/call.ts";
import { askPasskey } from "../browser/passkeys.ts";
import { signIn, signInThrough } from "../browser/sign-in.ts";
import { textOf, useForm } from "../browser/use-form.ts";

const PROVIDERS = { github: "GitHub", google: "Google" } as const;

type Provider = keyof typeof PROVIDERS;

export function SignInForm({
  returnTo,
  failure,
  providers,
}: {
  returnTo: string;
  failure: string | null;
  providers: readonly Provider[];
}) {
  const form = useForm(
    (fields) => signIn(textOf(fields, "email"), textOf(fields, "password"), returnTo),
    ({ url }) => window.location.assign(url),
  );
  const refusal = form.refusal ?? (failure === null ? null : refuse(failure, {}).refusal);
  return (
    <>
      <form {...form.props} className="max-w-96 space-y-5">
        {refusal ? <RefusalNote refusal={refusal} /> : null}
        <Field name="email" label="E-mail" type="email" autoComplete="username" spellCheck={false} required />
        <Field name="password" label="Password" type="password" autoComplete="current-password" required />
        <SendButton primary pending={form.pending}>
          Sign in
        </SendButton>
      </form>
      {providers.length > 0 ? <Providers providers={providers} returnTo={returnTo} /> : null}
    </>
  );
}

function Providers({ providers, returnTo }: { providers: readonly Provider[]; returnTo: string }) {
  const ready = useReady();
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  async function go(provider: Provider) {
    const outcome = await signInThrough(provider, returnTo);
    if (!outcome.ok) setRefusal(outcome.refusal);
  }

  return (
    <div className="mt-8 max-w-96 space-y-3 border-rule border-t pt-6">
      {refusal ? <RefusalNote refusal={refusal} /> : null}
      {providers.map((provider) => (
        <p key={provider}>
          <button type="button" disabled={!ready} onClick={() => go(provider)} className="button w-full">
            Continue with {PROVIDERS[provider]}
          </button>
        </p>
      ))}
    </div>
  );
}

const PATH = "/api/v1/owners/passkey_sign_in";

/** Signs in with only a passkey, which replaces both the password and the second step. */
export function PasskeySignIn({ returnTo }: { returnTo: string }) {
  const form = useForm(
    async () => {
      const begun = await call<{ options: object }>(`${PATH}_options.php`, { body: {} });
      if (!begun.ok) return begun;
      const answer = await askPasskey(begun.body.options);
      return answer.ok ? call(`${PATH}.php`, { body: { passkey: answer.body } }) : answer;
    },
    () => window.location.assign(returnTo),
  );
  return (
    <form {...form.props} className="mt-8 max-w-96 space-y-3 border-rule border-t pt-6">
      {form.refusal ? <RefusalNote refusal={form.refusal} /> : null}
      <p>If you have added a passkey to your account, you don’t need your password.</p>
      <SendButton pending={form.pending}>Use a passkey</SendButton>
    </form>
  );
}
