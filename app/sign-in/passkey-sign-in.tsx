"use client";

import { RefusalNote } from "#components/form/refusal.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { call } from "../browser/call.ts";
import { askPasskey } from "../browser/passkeys.ts";
import { useForm } from "../browser/use-form.ts";

const PATH = "/api/v1/owners/passkey_sign_in";

/** Signs in with a passkey alone, which replaces the password and the second step. */
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
      <p>No password needed if you have added a passkey to your account.</p>
      <SendButton pending={form.pending}>Use a passkey</SendButton>
    </form>
  );
}
