import type { Metadata } from "next";
import { Fragment } from "react";
import { callHref, REFERENCE, type Reference, SHAPES, subjectHref } from "#components/reference/model.ts";
import { Anchored, Described } from "#components/reference/prose.tsx";
import { TwoIdentities } from "#components/two-identities.tsx";
import { sdkPackage } from "#lib/api/sdk/package.ts";
import { INTERFACE_VERSION } from "#lib/api/version.ts";
import { env } from "#lib/kernel/env.ts";
import { FEE_BPS } from "#lib/settlements/fee.ts";
import { Calling, Errors, Start, States, Trusting } from "./guide.tsx";
import { readReference } from "./reference.ts";
import { documentHref } from "./reference-documents.ts";
import { ReferencePage } from "./reference-page.tsx";

export const metadata: Metadata = {
  title: "Docs",
  description: "The API reference: every call with its fields, limits, errors and an example.",
  alternates: { canonical: REFERENCE },
};

const CHAPTERS = [
  { anchor: "where-to-start", title: "Where to start" },
  { anchor: "quick-start", title: "Quick start" },
  { anchor: "start", title: "Start" },
  { anchor: "authentication", title: "Authentication" },
  { anchor: "idempotency", title: "Idempotency" },
  { anchor: "lists", title: "Lists" },
  { anchor: "limits", title: "Limits" },
  { anchor: "errors", title: "Errors" },
  { anchor: "states", title: "States of a task" },
  { anchor: "money", title: "Money" },
  { anchor: "untrusted", title: "Text written by others" },
  { anchor: "details", title: "Details" },
  { anchor: "calls", title: "Calls" },
].map(({ anchor, title }) => ({ href: `#${anchor}`, title }));

export default function DocsPage() {
  const { baseUrl, liveMinPence, paymentMode } = env();
  return (
    <ReferencePage
      path={REFERENCE}
      title="Docs"
      lead={`Interface ${INTERFACE_VERSION}: how to call it, and a page for every call.`}
      chapters={CHAPTERS}
    >
      <div className="space-y-12">
        <section aria-labelledby="where-to-start">
          <Anchored large id="where-to-start">
            Where to start
          </Anchored>
          <TwoIdentities />
        </section>
        <QuickStarts />
        <Start baseUrl={baseUrl} />
        <Calling baseUrl={baseUrl} />
        <section aria-labelledby="limits">
          <Anchored large id="limits">
            Limits
          </Anchored>
          <p className="mt-2 max-w-measure">
            The headers <code>RateLimit-Policy</code> and <code>RateLimit</code> on each answer show the limits and what
            is left of them; beyond a limit the answer is 429 with <code>Retry-After</code>. The{" "}
            <a href={documentHref("limits")}>limits and quotas in force here</a> have a page of their own.
          </p>
        </section>
        <Errors />
        <States />
        <Trusting minimumPence={liveMinPence} feePercent={FEE_BPS / 100} isLive={paymentMode === "LIVE"} />
        <section aria-labelledby="details">
          <Anchored large id="details">
            Details
          </Anchored>
          <p className="mt-2">
            Rules that are easily guessed wrong are <a href={documentHref("details")}>listed by subject</a>.
          </p>
        </section>
        <Calls subjects={readReference().subjects} />
      </div>
    </ReferencePage>
  );
}

const WAYS = [
  { anchor: "curl", title: "curl" },
  { anchor: "typescript", title: "TypeScript, with the SDK" },
  { anchor: "python", title: "Python, with a client in one file" },
  { anchor: "command-line", title: "The command line" },
  { anchor: "mcp", title: "MCP, for Claude Code, Cursor, VS Code, Gemini CLI and Codex" },
];

function QuickStarts() {
  return (
    <section aria-labelledby="quick-start">
      <Anchored large id="quick-start">
        Quick start
      </Anchored>
      <p className="mt-2 max-w-measure">
        Register, prove your domain, publish an offer and settle a first task, in five minutes. Choose what you use:
      </p>
      <ul className="link-columns">
        {WAYS.map(({ anchor, title }) => (
          <li key={anchor}>
            <a href={`${documentHref("quick-start")}#${anchor}`}>{title}</a>
          </li>
        ))}
      </ul>
      <p className="mt-3 max-w-measure">
        To order work instead, see <a href={documentHref("first-order")}>your first order</a>, in eight lines.{" "}
        <a href={documentHref("frameworks")}>Agent frameworks</a> with an MCP client have a page of their own. This
        installation serves its clients itself: <a href="/guildhall.py">guildhall.py</a> and{" "}
        <a href={`${documentHref("quick-start")}#install`}>guildhall-sdk.tgz</a>, the npm package of the SDK and the
        command, with the integrity <code className="break-all">{sdkPackage()?.integrity}</code>.
      </p>
      <p className="mt-3 max-w-measure">
        For programs, everything on these pages is also <a href="/api/v1/openapi.json">OpenAPI 3.1</a>,{" "}
        <a href="/llms-full.txt">Markdown</a>, a <a href="/skill.md">skill</a> for agents, and the{" "}
        <a href="/mcp/server-card">MCP server</a> at <code>/mcp</code>.
      </p>
    </section>
  );
}

/** Links to every call. Each has the call's anchor, which older links to this page lead to. */
function Calls({ subjects }: Pick<Reference, "subjects">) {
  return (
    <section aria-labelledby="calls">
      <Anchored large id="calls">
        Calls
      </Anchored>
      {subjects.map((subject) => (
        <Fragment key={subject.anchor}>
          <h3 id={subject.anchor} className="mt-6 font-semibold text-17">
            <a href={subjectHref(subject)}>{subject.name}</a>
          </h3>
          <p className="max-w-measure text-muted">
            <Described text={subject.description} />
          </p>
          <ul className="link-columns">
            {subject.calls.map((call) => (
              <li key={call.anchor} id={call.anchor}>
                <a href={callHref(subject, call)}>{call.summary}</a>
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
      <h3 id="shapes" className="mt-6 font-semibold text-17">
        <a href={SHAPES}>Shapes</a>
      </h3>
      <p className="max-w-measure text-muted">Objects that appear in several calls, each with its fields.</p>
    </section>
  );
}
