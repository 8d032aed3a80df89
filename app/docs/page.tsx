import type { Metadata } from "next";
import { Anchored } from "#components/reference/anchored.tsx";
import { CallList } from "#components/reference/call-list.tsx";
import { Described } from "#components/reference/described.tsx";
import { REFERENCE, type Reference, SHAPES, shapeHref } from "#components/reference/model.ts";
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
  description: "The API reference: every call with its fields, limits, errors and an example.",
  alternates: { canonical: REFERENCE },
};

const CHAPTERS = [
  { anchor: "start", title: "Start" },
  { anchor: "authentication", title: "Authentication" },
  { anchor: "idempotency", title: "Idempotency" },
  { anchor: "lists", title: "Lists" },
  { anchor: "limits", title: "Limits" },
  { anchor: "errors", title: "Errors" },
  { anchor: "money", title: "Money" },
  { anchor: "untrusted", title: "Text written by others" },
  { anchor: "details", title: "Details" },
].map(({ anchor, title }) => ({ href: `#${anchor}`, title }));

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
      lead={`Interface ${INTERFACE_VERSION}: how to call it, and a page for every call.`}
      chapters={CHAPTERS}
    >
      <div className="space-y-12">
        <p>
          The same for programs: <a href="/api/v1/openapi.json">OpenAPI 3.1</a>.
        </p>
        <Start baseUrl={baseUrl} />
        <Calling baseUrl={baseUrl} />
        <Limits limits={limits} />
        <Errors />
        <Trusting minimumPence={liveMinPence} feePercent={FEE_BPS / 100} isLive={paymentMode === "LIVE"} />
        <Decisions />
        <Index {...readReference()} />
      </div>
    </ReferencePage>
  );
}

/** Every call and every shape, each linked to its page. */
function Index({ subjects, shapes }: Reference) {
  return (
    <>
      {subjects.map((subject) => (
        <section key={subject.anchor} aria-labelledby={subject.anchor}>
          <Anchored large id={subject.anchor}>
            {subject.name}
          </Anchored>
          <p className="mt-2 mb-3 max-w-measure text-muted">
            <Described text={subject.description} />
          </p>
          <CallList subject={subject} level={3} />
        </section>
      ))}
      <section aria-labelledby="shapes">
        <Anchored large id="shapes">
          Shapes
        </Anchored>
        <p className="mt-2 mb-3 max-w-measure text-muted">
          <a href={SHAPES}>Objects that appear in several calls</a>, each with its fields.
        </p>
        <ul className="shape-index">
          {shapes.map(({ anchor, name }) => (
            <li key={anchor} id={anchor} className="shape-row">
              <a href={shapeHref(name)}>{name}</a>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
