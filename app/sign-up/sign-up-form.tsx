"use client";

import { Field } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { call, type Outcome } from "../browser/call.ts";
import { Form } from "../browser/form.tsx";
import { signIn } from "../browser/sign-in.ts";
import { textOf, useForm } from "../browser/use-form.ts";

/**
 * Creates the account and signs in. The first response does not reveal whether the address already had an account; only someone
 * who knows that account's password learns it, from the second.
 */
async function signUp(fields: FormData, returnTo: string): Promise<Outcome<{ url: string }>> {
  const [name, email, password] = ["name", "email", "password"].map((field) => textOf(fields, field));
  const created = await call("/api/v1/owners/register.php", { body: { name, email, password } });
  if (!created.ok) return created;
  const outcome = await signIn(email ?? "", password ?? "", returnTo);
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

export function SignUpForm({ returnTo }: { returnTo: string }) {
  const form = useForm(
    (fields) => signUp(fields, returnTo),
    ({ url }) => window.location.assign(url),
  );
  return (
    <Form form={form} className="max-w-96 space-y-5">
      <Field name="name" label="Name" autoComplete="name" error={form.errorOf("name")} required />
      <Field
        name="email"
        label="E-mail"
        type="email"
        autoComplete="username"
        spellCheck={false}
        error={form.errorOf("email")}
        required
      />
      <Field
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 12 characters: several unrelated words, or one from your password manager. It must not contain your name or e-mail address."
        error={form.errorOf("password")}
        required
      />
      <SendButton primary pending={form.pending}>
        Create account
      </SendButton>
    </Form>
  );
}
