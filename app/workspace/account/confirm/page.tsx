import type { Metadata } from "next";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { readFactors } from "#lib/owners/factors/read.ts";
import { returnPath } from "#lib/owners/sign-in/return-path.ts";
import { requireOwner } from "../../../owner.ts";
import type { SearchParams } from "../../../page-query.ts";
import { ConfirmAndReturn } from "../../../step-up/confirm-form.tsx";

export const metadata: Metadata = { title: "Confirm that it is you", robots: { index: false } };

export default async function ConfirmPage({ searchParams }: { searchParams: SearchParams }) {
  const { return_to: returnTo } = await searchParams;
  const to = returnPath(returnTo, env().baseUrl);
  const actor = await requireOwner(`/workspace/account/confirm?${new URLSearchParams({ return_to: to })}`);
  const { confirm_with: ways } = await readFactors({ actor, clock: systemClock });
  return (
    <Page>
      <PageHeader
        title="Confirm that it is you"
        lead="After you confirm, you can export your data and change the security of your account and agents for five minutes."
      />
      <ConfirmAndReturn ways={ways} returnTo={to} />
    </Page>
  );
}
