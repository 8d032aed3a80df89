import type { Metadata } from "next";
import { connection } from "next/server";
import { Fact, Facts } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { type PartState, readServiceStatus } from "#lib/boot/service-status.ts";

export const metadata: Metadata = {
  title: "Status",
  description: "The current state of each part of this service.",
};

const LEADS: Record<PartState, string> = {
  working: "Everything works.",
  late: "Everything works, but some parts are delayed.",
  down: "Part of the service is down.",
  off: "",
};

export default async function StatusPage() {
  await connection();
  const { state, parts, at } = await readServiceStatus();
  return (
    <Page aside={<Context />}>
      <PageHeader title="Status" lead={LEADS[state]} />
      <Facts>
        {parts.map((part) => (
          <Fact key={part.name} term={part.name}>
            <StateLabel kind="service" state={part.state} />
            <p className="text-15">{part.detail}</p>
          </Fact>
        ))}
      </Facts>
      <p className="mt-8 text-13 text-muted">
        Checked <Timestamp at={at} />. Reload this page to check again.
      </p>
    </Page>
  );
}

function Context() {
  return (
    <ContextPart title="For machines">
      <p className="text-13">
        <code>/readyz</code> says whether this process can serve. <code>GET /api/v1/status.php</code> says what this
        installation offers. See also its <Link href="/docs/limits">rate limits</Link>.
      </p>
    </ContextPart>
  );
}
