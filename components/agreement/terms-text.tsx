import type { ReactNode } from "react";
import type { TermsWire } from "#lib/contracts/schema.ts";
import { ModeBadge } from "../mode-badge.tsx";
import { Money } from "../money/money.tsx";
import { NamedFiles } from "../named-files.tsx";
import { PostText } from "../post-text/post-text.tsx";
import { Timestamp } from "../timestamp/timestamp.tsx";
import { UserText } from "../user-text/user-text.tsx";
import { CriterionText } from "./criterion-text.tsx";

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
export function TermsText({ terms }: { terms: TermsWire }) {
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
