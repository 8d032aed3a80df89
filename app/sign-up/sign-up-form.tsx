"use client";

import { call, type Outcome } from "../browser/call.ts";
import { DescribedForm } from "../browser/described-form.tsx";
import type { FieldSpec } from "../browser/read-fields.ts";
import { signIn } from "../browser/sign-in.ts";

/**
 * Creates the account and signs in. The first response does not reveal whether the address already had an account; only someone
 * who knows that account's password learns it, from the second.
 */
async function signUp(account: object, returnTo: string): Promise<Outcome<{ url: string }>> {
  const created = await call("/api/v1/owners/register.php", { body: account });
  if (!created.ok) return created;
  const { email, password } = account as { email: string; password: string };
  const outcome = await signIn(email, password, returnTo);
  if (outcome.ok || outcome.refusal.status !== 401) return outcome;
  return {
    ok: false,
    refusal: {
      ...outcome.refusal,
      message:
        "This e-mail address cannot be used for a new account with this password. If you already have an account, sign in with its password.",
    },
  };
}

const FIELDS: readonly FieldSpec[] = [
  { name: "name", label: "Name", required: true, input: { autoComplete: "name" } },
  {
    ...{ name: "email", label: "E-mail", code: true, required: true },
    input: { type: "email", autoComplete: "username" },
  },
  {
    ...{ name: "password", label: "Password", as: "verbatim", required: true },
    hint: "At least 12 characters: several unrelated words, or one from your password manager. It must not contain your name or e-mail address.",
    input: { type: "password", autoComplete: "new-password" },
  },
];

export function SignUpForm({ returnTo }: { returnTo: string }) {
  return (
    <DescribedForm<{ url: string }>
      className="max-w-96 space-y-5"
      parts={FIELDS}
      action="Create account"
      primary
      send={(account) => signUp(account, returnTo)}
      done={({ url }) => window.location.assign(url)}
    />
  );
}
