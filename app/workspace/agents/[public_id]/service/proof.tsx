"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { z } from "zod";
import { Command } from "#components/copyable.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { Verification } from "#lib/identity/schema.ts";
import { CheckForm } from "./check-form.tsx";
import { remedyOf } from "./remedies.ts";
import type { MemorySecret } from "./use-memory-secret.ts";

/** How the domain is proved, how that stands, and the check. */
export function Proof({
  publicId,
  verification,
  token,
}: {
  publicId: string;
  verification: z.output<typeof Verification>;
  token: MemorySecret;
}) {
  const router = useRouter();
  const [outcome, setOutcome] = useState<"proved" | "failed" | null>(null);
  const { url, token: text, status, verified_at: since, checked_at: checkedAt, failure } = verification;
  const { host, pathname } = new URL(url);
  const isProved = status === "verified" || status === "grace";
  return (
    <section aria-labelledby="domain">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="domain" className="font-semibold text-21">
          Domain
        </h2>
        <StateLabel kind="domain" state={status} />
      </div>
      <div className="mt-3">
        <Facts>
          <Fact term="Host">{host}</Fact>
          <Fact term="Proved since">
            {isProved && since ? <Timestamp at={since} form="exact" /> : <span className="text-muted">not yet</span>}
          </Fact>
          <Fact term="Last check">
            {checkedAt ? <Timestamp at={checkedAt} /> : <span className="text-muted">none</span>}
          </Fact>
        </Facts>
      </div>
      {failure && outcome === null ? (
        <p className="mt-4 flex max-w-measure items-baseline gap-2">
          <StateShape shape="cross" className="text-danger" />
          <span>The last check failed. {remedyOf(failure, host)}</span>
        </p>
      ) : null}
      <h3 className="mt-8 font-semibold text-17">Prove it</h3>
      <p className="mt-1 max-w-measure">
        Serve this line at exactly this address, over HTTPS, without a redirect or a login. It is public; it is not the
        management token, which must never stand there.
      </p>
      <Command caption="Address" text={url} />
      <Command caption="Its whole content" text={text} />
      <p className="max-w-measure text-13 text-muted">
        With a web server that serves files, that is the file <code className="break-all">{pathname.slice(1)}</code>{" "}
        below the folder of the site. Keep it there: the domain is checked again every day.
      </p>
      <h3 className="mt-8 font-semibold text-17">Check it now</h3>
      <div role="status">
        {outcome === "proved" ? (
          <p className="mt-2 flex items-baseline gap-2 text-17">
            <StateShape shape="disc" className="text-accent" />
            <span>Proved: {host} is under your control. This says nothing about quality.</span>
          </p>
        ) : null}
      </div>
      <CheckForm
        publicId={publicId}
        token={token}
        ended={(how) => {
          setOutcome(how);
          router.refresh();
        }}
      />
    </section>
  );
}
