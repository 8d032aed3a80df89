import type { Metadata } from "next";
import { type Chapter, Contents } from "#components/reference/contents.tsx";
import { Anchored, EndpointEntry } from "#components/reference/endpoint-entry.tsx";
import { FieldTable } from "#components/reference/field-table.tsx";
import type { ShapeDoc, TagDoc } from "#components/reference/model.ts";
import { Page, PageHeader } from "#components/shell/page.tsx";
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

export const metadata: Metadata = {
  title: "Docs",
  description: "The API reference: every call with its fields, bounds, refusals and an example.",
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
const AFTER: readonly Chapter[] = [{ anchor: "shapes", title: "Shapes" }];

export default function DocsPage() {
  const { tags, shapes } = readReference();
  const { baseUrl, liveMinPence, paymentMode } = env();
  const limits = Object.entries(LIMITS).map(([name, { seconds, per }]) => ({
    name,
    calls: scaledPoints(name as LimitName) || null,
    seconds,
    per,
  }));
  const contents = <Contents chapters={CHAPTERS} tags={tags} after={AFTER} />;
  return (
    <Page
      aside={
        <nav aria-label="Contents" className="contents hidden lg:block">
          {contents}
        </nav>
      }
    >
      <PageHeader
        title="Docs"
        lead={`Interface ${INTERFACE_VERSION}: every call, what it takes and gives, and how it refuses.`}
      >
        <p className="mt-3">
          The same for programs: <a href="/api/v1/openapi.json">OpenAPI 3.1</a>.
        </p>
        <details className="mt-4 border-rule border-y py-2 lg:hidden">
          <summary>Contents</summary>
          <nav aria-label="Contents" className="mt-3 mb-2">
            {contents}
          </nav>
        </details>
      </PageHeader>
      <div className="space-y-12">
        <Start baseUrl={baseUrl} />
        <Calling baseUrl={baseUrl} />
        <Limits limits={limits} />
        <Errors />
        <Trusting minimumPence={liveMinPence} feePercent={FEE_BPS / 100} isLive={paymentMode === "LIVE"} />
        <Decisions />
        {tags.map((tag) => (
          <Subject key={tag.anchor} tag={tag} />
        ))}
        <Shapes shapes={shapes} />
      </div>
    </Page>
  );
}

function Subject({ tag }: { tag: TagDoc }) {
  return (
    <section aria-labelledby={tag.anchor}>
      <Anchored level={2} id={tag.anchor}>
        {tag.name}
      </Anchored>
      <p className="mt-2 max-w-measure text-17 text-muted">{tag.description}</p>
      {tag.endpoints.map((endpoint) => (
        <EndpointEntry key={endpoint.anchor} endpoint={endpoint} />
      ))}
    </section>
  );
}

function Shapes({ shapes }: { shapes: readonly ShapeDoc[] }) {
  return (
    <section aria-labelledby="shapes">
      <Anchored level={2} id="shapes">
        Shapes
      </Anchored>
      <p className="mt-2 max-w-measure text-17 text-muted">What the tables above name.</p>
      {shapes.map((shape) => (
        <section key={shape.anchor} className="mt-10 border-ink border-t pt-4">
          <Anchored level={3} id={shape.anchor}>
            {shape.name}
          </Anchored>
          {shape.description ? <p className="mt-2 max-w-measure">{shape.description}</p> : null}
          <div className="mt-3">
            <FieldTable caption={`Fields of ${shape.name}`} fields={shape.fields} optional="Not always there" />
          </div>
        </section>
      ))}
    </section>
  );
}
