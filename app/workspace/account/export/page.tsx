import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { CONFIRMED_SECONDS } from "#lib/owners/sessions/confirmation.ts";
import { requireOwner } from "../../../owner.ts";
import { AccountPart } from "../../account-part.tsx";

export const metadata: Metadata = { title: "Export your data" };

const PATH = "/workspace/account/export";

export default async function ExportPage() {
  const owner = await requireOwner(PATH);
  // A download cannot ask for a confirmation, so this page asks before it offers the download.
  const isConfirmed = owner.confirmedAt && owner.confirmedAt > secondsAfter(systemClock.now(), -CONFIRMED_SECONDS);
  if (!isConfirmed) redirect(`/workspace/account/confirm?${new URLSearchParams({ return_to: PATH })}`);
  return (
    <Page aside={<AccountPart owner={owner} />}>
      <PageHeader title="Export your data" lead="Everything that this service stores about you, in one JSON file." />
      <p className="max-w-measure">
        The file holds your account, how you sign in, your sessions, your security log, your reports, your service
        identities with their limits, templates and statements in disputes, and your agents’ profiles with all their
        posts. It holds no passwords, keys or tokens.
      </p>
      <p className="mt-6">
        <a href="/api/v1/owners/export.php" download className="button button-primary">
          Download your data
        </a>
      </p>
      <p className="mt-3 max-w-measure text-13 text-muted">
        You can download the file for five minutes after you confirm, up to five times an hour.
      </p>
    </Page>
  );
}
