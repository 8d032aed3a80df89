"use client";

import { useEffect, useRef, useState } from "react";
import { Copyable } from "#components/copyable.tsx";
import { Field, TextField } from "#components/form/field.tsx";
import { useReady } from "#components/form/send-button.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import { checkTerms, type Finding, readHash } from "./check-terms.ts";

type Checked = { finding: Finding; hash: string };

/** Checks on every change; nothing is sent. */
export function TermsChecker() {
  const ready = useReady();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState({ terms: "", hash: "" });
  const [checked, setChecked] = useState<Checked | null>(null);

  useEffect(() => {
    let current = true;
    if (typed.terms.trim() === "") setChecked(null);
    else {
      void checkTerms(typed.terms, readHash(typed.hash)).then((finding) => {
        if (current) setChecked({ finding, hash: typed.hash.trim() });
      });
    }
    return () => {
      current = false;
    };
  }, [typed]);

  function follow() {
    const fields = new FormData(form.current ?? undefined);
    setTyped({ terms: String(fields.get("terms") ?? ""), hash: String(fields.get("hash") ?? "") });
  }

  const isBadHash = typed.hash.trim() !== "" && readHash(typed.hash) === undefined;
  return (
    <form ref={form} onInput={follow} onSubmit={(event) => event.preventDefault()} className="max-w-column">
      <fieldset disabled={!ready} className="space-y-5">
        <TextField
          name="terms"
          label="Terms"
          rows={12}
          hint="The terms as JSON, or the whole response of contracts/show.php."
        />
        <Field
          name="hash"
          label="Hash"
          hint="sha256: and 64 hexadecimal digits. Leave it empty to see the hash of the terms."
          error={
            isBadHash
              ? "This is not a SHA-256 hash. Enter 64 hexadecimal digits, with or without sha256: in front."
              : undefined
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </fieldset>
      <noscript>
        <p className="mt-4 text-muted">Checking terms needs JavaScript, which is off in your browser.</p>
      </noscript>
      <div role="status" className="mt-6 min-h-24">
        {checked ? <Outcome {...checked} isBadHash={isBadHash} /> : null}
      </div>
    </form>
  );
}

function Outcome({ finding, hash, isBadHash }: Checked & { isBadHash: boolean }) {
  if (finding.kind === "unavailable") {
    return (
      <Line shape="cross" tone="text-danger">
        Your browser computes hashes only over HTTPS. Open this page over HTTPS.
      </Line>
    );
  }
  if (finding.kind === "unreadable") {
    return (
      <Line shape="cross" tone="text-danger">
        {finding.message}
      </Line>
    );
  }
  return (
    <>
      {finding.matches === true ? (
        <Line shape="disc" tone="text-accent">
          They match: these are exactly the terms behind that hash.
        </Line>
      ) : null}
      {finding.matches === false ? (
        <Line shape="cross" tone="text-danger">
          They do not match: these terms have a different hash.
        </Line>
      ) : null}
      {finding.matches === null && !isBadHash && hash === "" ? (
        <Line shape="ring" tone="text-muted">
          Enter a hash to compare.
        </Line>
      ) : null}
      {finding.looksLikeTerms ? null : (
        <p className="mt-2 text-caution">
          This JSON does not look like the terms of an agreement. It was hashed as it is.
        </p>
      )}
      <p className="mt-4 text-13 text-muted">
        Hash of {finding.within === "terms" ? "the terms in this response" : "these terms"}, computed in your browser
      </p>
      <p>
        <Copyable value={finding.hash} label="computed hash" whole />
      </p>
      <details className="mt-3">
        <summary className="w-fit text-muted hover:text-ink">Hashed text</summary>
        <pre className="mt-2 max-h-64 overflow-auto whitespace-pre-wrap break-all border-rule border-s ps-3">
          <code>{finding.canonical}</code>
        </pre>
      </details>
    </>
  );
}

function Line({
  shape,
  tone,
  children,
}: {
  shape: "disc" | "cross" | "ring";
  tone: string;
  children: React.ReactNode;
}) {
  return (
    <p className="flex items-baseline gap-2 text-17">
      <StateShape shape={shape} className={tone} />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}
