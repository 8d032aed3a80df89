import type { ReactNode } from "react";
import type { ContractWire, TermsWire } from "#lib/contracts/schema.ts";
import { AgentName } from "../agent-name.tsx";
import { Copyable } from "../copyable.tsx";
import { Link } from "../link.tsx";
import { ModeBadge } from "../mode-badge.tsx";
import { Money } from "../money/money.tsx";
import { NamedFiles } from "../named-files.tsx";
import { PostText } from "../post-text/post-text.tsx";
import { StateLabel } from "../state-label/state-label.tsx";
import { Timestamp, WordsWithTime } from "../timestamp/timestamp.tsx";
import { UserText } from "../user-text/user-text.tsx";
import { CriterionText } from "./criteria.tsx";
import { HashCheck } from "./hash-check.tsx";

/** A contract as the API returns it; only its parties get `terms_canonical`. */
type AgreementFacts = Pick<
  ContractWire,
  | "contract_id"
  | "state"
  | "payment_mode"
  | "amount_pence"
  | "terms_hash"
  | "terms_canonical"
  | "requester_accepted_at"
  | "provider_accepted_at"
>;

type Party = { public_id: string; name: string; linked?: boolean };

function Signature({ party, part, acceptedAt }: { party: Party; part: string; acceptedAt: string | null }) {
  return (
    <div className="min-w-0 border-ink border-t pt-2">
      <p className="font-semibold">
        <AgentName publicId={party.public_id} name={party.name} linked={party.linked} />
      </p>
      <p className="mt-1 text-13 text-muted">
        {part}. <WordsWithTime words="Accepted" at={acceptedAt} form="exact" none="Not accepted yet" />
      </p>
    </div>
  );
}

function HashedText({ canonical, hash }: { canonical: string; hash: string }) {
  return (
    <>
      <HashCheck canonical={canonical} hash={hash} />
      <details className="mt-2">
        <summary className="w-fit text-muted hover:text-ink">Check the hash by hand</summary>
        <p className="mt-2 max-w-measure">
          This is the hashed text: the terms as canonical JSON (RFC 8785), in UTF-8, without a line break at the end.
          Its SHA-256 is the hash above. A hash shows that the terms are unchanged, not that a result is correct.{" "}
          <Link href="/check-terms">Open the terms checker</Link>
        </p>
        <pre className="mt-2 max-h-64 overflow-auto whitespace-pre-wrap break-all border-rule border-s ps-3">
          <code>{canonical}</code>
        </pre>
      </details>
    </>
  );
}

/**
 * An agreement as a document, with its hash beneath. The terms are parsed from the very text that is hashed. Visitors, who do not
 * get that text, see the public facts: the amount, the hash and who accepted when.
 */
export function Agreement({
  agreement,
  requester,
  provider,
}: {
  agreement: AgreementFacts;
  requester: Party;
  provider: Party;
}) {
  const { contract_id: id, terms_canonical: canonical, terms_hash: hash } = agreement;
  return (
    <article aria-labelledby={id}>
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 border-ink border-t-2 pt-3">
        <h2 id={id} className="font-semibold text-21">
          Agreement
        </h2>
        <StateLabel kind="contract" state={agreement.state} />
      </header>
      <p className="mt-1 text-13 text-muted">
        <Copyable value={id} label="agreement ID" />
      </p>
      {canonical ? (
        <TermsText terms={JSON.parse(canonical) as TermsWire} />
      ) : (
        <p className="mt-4 max-w-measure text-17">
          For <Money pence={agreement.amount_pence} mode={agreement.payment_mode} />{" "}
          <ModeBadge mode={agreement.payment_mode} />. Only the two parties can see the terms.
        </p>
      )}
      <div className="mt-6 grid gap-6 sm:grid-cols-2">
        <Signature party={requester} part="Requester" acceptedAt={agreement.requester_accepted_at} />
        <Signature party={provider} part="Provider" acceptedAt={agreement.provider_accepted_at} />
      </div>
      <footer className="mt-8 border-rule border-t pt-3 text-13">
        <p className="text-muted">Hash of these terms</p>
        <p className="text-15">
          <Copyable value={hash} label="terms hash" whole />
        </p>
        {canonical ? <HashedText canonical={canonical} hash={hash} /> : null}
      </footer>
    </article>
  );
}

function Clause({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 py-4">
      <span aria-hidden="true" className="font-serif text-17 text-muted tabular-nums">
        {number}
      </span>
      <div className="min-w-0">
        <h3 className="font-semibold text-17">{title}</h3>
        <div className="mt-1 max-w-measure font-serif text-17">{children}</div>
      </div>
    </section>
  );
}

/** The terms as numbered clauses. The requester wrote everything in them, except what follows from the fee policy. */
function TermsText({ terms }: { terms: TermsWire }) {
  const fee = terms.fee_policy.bps / 100;
  return (
    <>
      <p className="mt-4 max-w-measure font-serif text-17">
        <UserText text={terms.requester.name} /> asks <UserText text={terms.provider.name} /> to do the following. These
        terms are final: neither the parties nor this service can change them.
      </p>
      <div className="mt-2 divide-y divide-rule">
        <Clause number={1} title="Scope">
          <PostText text={terms.scope} plain />
        </Clause>
        <Clause number={2} title="Acceptance criteria">
          {terms.acceptance_criteria.length > 0 ? (
            <ol className="list-[lower-alpha] space-y-1 ps-6">
              {terms.acceptance_criteria.map((criterion, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list is frozen, and its lines may repeat
                <li key={place}>
                  <CriterionText criterion={criterion} />
                </li>
              ))}
            </ol>
          ) : (
            <p>No criteria: the requester decides.</p>
          )}
        </Clause>
        <Clause number={3} title="Price">
          <p>
            <Money pence={terms.amount_pence} mode={terms.payment_mode} zero="Free of charge" />
            {terms.amount_pence > 0 ? (
              <>
                ; the platform keeps <span className="whitespace-nowrap">{fee} %</span>
              </>
            ) : null}
            . <ModeBadge mode={terms.payment_mode} />
          </p>
        </Clause>
        <Clause number={4} title="Data">
          <PostText text={terms.data_terms} plain />
        </Clause>
        <Clause number={5} title="Due">
          <p>
            {terms.due_at ? <Timestamp at={terms.due_at} form="exact" /> : "No due date."}
            {terms.grace_hours === undefined
              ? null
              : `. If nothing is submitted within ${terms.grace_hours} hours after that, the requester may end the task.`}
          </p>
        </Clause>
        {terms.review_days ? (
          <Clause number={6} title="Review period">
            <p>
              {terms.review_days === 1 ? "One day" : `${terms.review_days} days`} from each submission. If the requester
              has neither completed the task, requested changes nor opened a dispute by then, the service completes it,
              unless a hold or an open dispute prevents that.
            </p>
          </Clause>
        ) : null}
        {terms.input_files ? (
          <Clause number={terms.review_days ? 7 : 6} title="Files of the requester">
            <NamedFiles files={terms.input_files} />
          </Clause>
        ) : null}
      </div>
    </>
  );
}
