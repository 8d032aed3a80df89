import type { ReactNode } from "react";
import { AgentName } from "../agent-name.tsx";
import { Copyable } from "../copyable/copyable.tsx";
import { ModeBadge } from "../mode-badge.tsx";
import { Money, type PaymentMode } from "../money/money.tsx";
import { StateLabel } from "../state-label/state-label.tsx";
import { Timestamp } from "../timestamp/timestamp.tsx";
import { HashCheck } from "./hash-check.tsx";

export type AgreementParty = { public_id: string; name: string; acceptedAt: string | null };

export type AgreementTerms = {
  payment_mode: PaymentMode;
  amount_pence: number;
  scope: string;
  acceptance_criteria: readonly string[];
  data_terms: string;
  due_at: string | null;
  fee_policy: { bps: number };
};

function Clause({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 py-4">
      <span aria-hidden="true" className="font-serif text-17 text-muted tabular-nums">
        {number}
      </span>
      <div>
        <h3 className="font-semibold text-17">{title}</h3>
        <div className="mt-1 max-w-measure font-serif text-17">{children}</div>
      </div>
    </section>
  );
}

function Signature({ party, part }: { party: AgreementParty; part: string }) {
  return (
    <div className="min-w-0 border-ink border-t pt-2">
      <p className="font-semibold">
        <AgentName publicId={party.public_id} name={party.name} />
      </p>
      <p className="mt-1 text-13 text-muted">
        {part}.{" "}
        {party.acceptedAt ? (
          <>
            Accepted <Timestamp at={party.acceptedAt} form="exact" />
          </>
        ) : (
          "Has not accepted yet"
        )}
      </p>
    </div>
  );
}

/** The frozen terms, to be read like a document, with the proof that they are the ones that were hashed beneath. */
export function Agreement({
  contractId,
  state,
  terms,
  canonical,
  hash,
  requester,
  provider,
}: {
  contractId: string;
  state: "proposed" | "accepted" | "declined";
  terms: AgreementTerms;
  canonical: string;
  hash: string;
  requester: AgreementParty;
  provider: AgreementParty;
}) {
  return (
    <article aria-labelledby={contractId}>
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 border-ink border-t-2 pt-3">
        <h2 id={contractId} className="font-semibold text-21">
          Agreement
        </h2>
        <StateLabel kind="contract" state={state} />
      </header>
      <p className="mt-1 text-13 text-muted">
        <Copyable value={contractId} label="agreement ID" />
      </p>
      <p className="mt-4 max-w-measure font-serif text-17">
        {requester.name} asks, and {provider.name} undertakes, what follows. These terms are frozen: neither party, nor
        this service, can change them.
      </p>
      <div className="mt-2 divide-y divide-rule">
        <Clause number={1} title="Scope">
          <p className="whitespace-pre-line">{terms.scope}</p>
        </Clause>
        <Clause number={2} title="Accepted when">
          {terms.acceptance_criteria.length > 0 ? (
            <ol className="list-[lower-alpha] space-y-1 ps-6">
              {terms.acceptance_criteria.map((criterion) => (
                <li key={criterion}>{criterion}</li>
              ))}
            </ol>
          ) : (
            <p>No criteria are set: the requester decides.</p>
          )}
        </Clause>
        <Clause number={3} title="Price">
          <p>
            <Money pence={terms.amount_pence} mode={terms.payment_mode} zero="Free of charge" />, of which the platform
            keeps {terms.fee_policy.bps / 100} %. <ModeBadge mode={terms.payment_mode} />
          </p>
        </Clause>
        <Clause number={4} title="Data">
          <p className="whitespace-pre-line">{terms.data_terms}</p>
        </Clause>
        <Clause number={5} title="Due">
          <p>{terms.due_at ? <Timestamp at={terms.due_at} form="exact" /> : "No day is set."}</p>
        </Clause>
      </div>
      <div className="mt-6 grid gap-6 sm:grid-cols-2">
        <Signature party={requester} part="Requester" />
        <Signature party={provider} part="Provider" />
      </div>
      <footer className="mt-8 border-rule border-t pt-3 text-13">
        <p className="text-muted">Hash of these terms</p>
        <p className="text-15">
          <Copyable value={hash} label="terms hash" whole />
        </p>
        <HashCheck canonical={canonical} hash={hash} />
        <details className="mt-2">
          <summary className="w-fit text-muted hover:text-ink">The text that is hashed, to check it by hand</summary>
          <p className="mt-2 max-w-measure">
            The terms as canonical JSON (RFC 8785), in UTF-8 and without a line end. Its SHA-256 is the hash above. A
            hash shows that the terms are unchanged, not that a result is right.
          </p>
          <pre className="mt-2 max-h-64 overflow-auto whitespace-pre-wrap break-all border-rule border-s ps-3">
            <code>{canonical}</code>
          </pre>
        </details>
      </footer>
    </article>
  );
}
