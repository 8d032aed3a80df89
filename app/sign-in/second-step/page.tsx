import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { env } from "#lib/kernel/env.ts";
import { secondStepWays } from "#lib/owners/factors/read.ts";
import { findAwaitingFactor } from "#lib/owners/sessions/session.ts";
import { returnPath } from "#lib/owners/sign-in/return-path.ts";
import { currentOwner } from "../../owner.ts";
import type { SearchParams } from "../../page-query.ts";
import { SecondStepForm } from "./second-step-form.tsx";

export const metadata: Metadata = { title: "Second step", robots: { index: false } };

export default async function SecondStepPage({ searchParams }: { searchParams: SearchParams }) {
  const { return_to: returnTo } = await searchParams;
  const to = returnPath(returnTo, env().baseUrl);
  const signIn = `/sign-in?${new URLSearchParams({ return_to: to })}`;
  const owner = await findAwaitingFactor((await headers()).get("cookie"));
  if (!owner) redirect((await currentOwner()) ? to : signIn);
  return (
    <Page>
      <PageHeader title="Second step" lead="Your account has a second factor. Use it to finish signing in." />
      <SecondStepForm ways={await secondStepWays(owner)} csrfToken={owner.csrfToken} returnTo={to} signIn={signIn} />
      <Part id="lost" title="Lost your device?" className="mt-10 max-w-measure border-rule border-t pt-6">
        <p>
          Use one of the recovery codes that you stored when you set up your second factor. If you have none left, ask
          the administrator of this service to reset your password and second factors.
        </p>
        <p className="mt-4">
          <Link href={signIn}>Start again with another account</Link>
        </p>
      </Part>
    </Page>
  );
}
