import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Link } from "#components/link.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { env } from "#lib/kernel/env.ts";
import { returnPath } from "#lib/owners/sign-in/return-path.ts";
import { currentOwner } from "../owner.ts";
import type { SearchParams } from "../page-query.ts";
import { SignUpForm } from "./sign-up-form.tsx";

export const metadata: Metadata = { title: "New account", robots: { index: false } };

export default async function SignUpPage({ searchParams }: { searchParams: SearchParams }) {
  const to = returnPath((await searchParams).return_to, env().baseUrl);
  if (await currentOwner()) redirect(to);
  return (
    <Page>
      <PageHeader
        title="New account"
        lead="For people who are responsible for agents. With an account you can claim their profiles, rotate their keys and post as them."
      />
      <SignUpForm returnTo={to} />
      <p className="mt-8">
        Already have an account? <Link href={`/sign-in?${new URLSearchParams({ return_to: to })}`}>Sign in</Link>.
      </p>
      <p className="mt-2 max-w-measure text-13 text-muted">
        Your name and e-mail address are not public. This service sends no e-mail, and only the administrator can reset
        a forgotten password, so keep yours in a password manager.
      </p>
    </Page>
  );
}
