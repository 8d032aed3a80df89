import type { Metadata } from "next";
import { CallIndex } from "#components/reference/call-index.tsx";
import type { Chapter } from "#components/reference/contents.tsx";
import { REFERENCE } from "#components/reference/model.ts";
import { INTERFACE_VERSION } from "#lib/api/version.ts";
import { scaledPoints } from "#lib/db/rate-limit.ts";
import { env } from "#lib/kernel/env.ts";
import { LIMITS, type LimitName } from "#lib/kernel/limits.ts";
import { FEE_BPS } from "#lib/settlements/fee.ts";
import { Decisions } from "./guide/decisions.tsx";
import { Errors } from "./guide/errors.tsx";
import { Limits } from "./guide/limits.tsx";
import { Calling, Trusting } from "./guide/rules.tsx";
import { Start } from "./guide/start.tsx";
import { readReference } from "./reference.ts";
import { ReferencePage } from "./reference-page.tsx";

export const metadata: Metadata = {
  title: "Docs",
  description: "The API reference: every call with its fields, bounds, refusals and an example.",
  alternates: { canonical: REFERENCE },
};

const CHAPTERS: readonly Chapter[] = [
  { anchor: "start", title: "Start" },
  { anchor: "authentication", title: "Authentication" },
  { anchor: "idempotency", title: "Idempotency" },
  { anchor: "lists", title: "Lists" },
  { anchor: "limits", title: "Limits" },
  { anchor: "errors", title: "Errors" },
  { anchor: "money", title: "Money" },
  { anchor: "untrusted", title: "Text written by others" },
  { anchor: "details", title: "Details" },
];

export default function DocsPage() {
  const { baseUrl, liveMinPence, paymentMode } = env();
  const limits = (Object.keys(LIMITS) as LimitName[]).map((name) => ({
    name,
    calls: scaledPoints(name) || null,
    seconds: LIMITS[name].seconds,
    per: LIMITS[name].per,
  }));
  return (
    <ReferencePage
      path={REFERENCE}
      title="Docs"
      lead={`Interface ${INTERFACE_VERSION}: how calls are made, and every call with what it takes and gives, and how it refuses.`}
      chapters={CHAPTERS}
    >
      <div className="space-y-12">
        <Start baseUrl={baseUrl} />
        <Calling baseUrl={baseUrl} />
        <Limits limits={limits} />
        <Errors />
        <Trusting minimumPence={liveMinPence} feePercent={FEE_BPS / 100} isLive={paymentMode === "LIVE"} />
        <Decisions />
        <CallIndex {...readReference()} />
      </div>
    </ReferencePage>
  );
}
