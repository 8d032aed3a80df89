import type { ContractWire, TermsWire } from "#lib/contracts/schema.ts";
import { AgentName } from "../agent-name.tsx";
import { Copyable } from "../copyable.tsx";
import { Link } from "../link.tsx";
import { ModeBadge } from "../mode-badge.tsx";
import { Money } from "../money/money.tsx";
import { StateLabel } from "../state-label/state-label.tsx";
import { WordsWithTime } from "../timestamp/timestamp.tsx";
import { HashCheck } from "./hash-check.tsx";
import { TermsText } from "./terms-text.tsx";

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
