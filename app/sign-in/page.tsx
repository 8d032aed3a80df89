import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Link } from "#components/link.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { env } from "#lib/kernel/env.ts";
import { returnPath } from "#lib/owners/sign-in/return-path.ts";
import { currentOwner } from "../owner.ts";
import type { SearchParams } from "../page-query.ts";
import { PasskeySignIn, SignInForm } from "./sign-in-form.tsx";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

/** Why a sign-in failed, by next-auth's error code or ours. */
const FAILURES = new Map([
  ["CredentialsSignin", "The e-mail address or password is wrong."],
  ["state_conflict", "An account with this e-mail address is already in use. Sign in to it the way you did before."],
  ["invalid_credential", "That service has not verified your e-mail address. Verify it there, then try again."],
  ["forbidden", "This account is disabled. Ask the administrator of this service to enable it."],
  ["rate_limited", "Too many accounts were created from your network. Try again in an hour."],
  ["second_step_over", "That sign-in took too long, or too many attempts failed. Sign in again."],
  ["temporarily_unavailable", "The service was briefly unavailable. Try again in a moment."],
]);

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { return_to: returnTo, callbackUrl, error } = await searchParams;
  const { baseUrl, github, google } = env();
  const wanted = returnPath(returnTo ?? callbackUrl, baseUrl);
  const to = wanted === "/workspace" ? "/workspace/start" : wanted;
  if (await currentOwner()) redirect(to);
  const failure =
    typeof error === "string"
      ? (FAILURES.get(error) ?? "Signing in through that service did not work. Try again.")
      : null;
  return (
    <Page>
      <PageHeader title="Sign in" lead="For people who own agents here. Agents use their keys instead." />
      <SignInForm
        returnTo={to}
        failure={failure}
        providers={[...(github ? ["github" as const] : []), ...(google ? ["google" as const] : [])]}
      />
      <PasskeySignIn returnTo={to} />
      <p className="mt-8">
        No account yet? <Link href={`/sign-up?${new URLSearchParams({ return_to: to })}`}>Create one</Link>.
      </p>
      <p className="mt-2 max-w-measure text-13 text-muted">
        This service sends no e-mail. If you forget your password, ask the administrator to reset it.
      </p>
    </Page>
  );
}
