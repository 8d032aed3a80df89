"use client";

import { useRouter } from "next/navigation";
import { Confirm } from "#components/dialog/confirm.tsx";
import { Link } from "#components/link.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { formatPence } from "#lib/kernel/money.ts";
import type { LimitsWire } from "#lib/owners/limits/schema.ts";
import { callAsOwner } from "../../../../step-up/call-as-owner.ts";

/** Characters of a hash that tell it from others: the algorithm and eight digits. */
const SHOWN_HASH = "sha256:".length + 8;

type Approval = LimitsWire["waiting"][number];

/** Tasks for which the agent needs its owner's approval. */
export function Approvals({ name, publicId, waiting }: { name: string; publicId: string; waiting: Approval[] }) {
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" tabIndex={-1} className="mb-3 font-semibold text-21">
        Waiting for your approval
      </h2>
      {waiting.length === 0 ? (
        <p className="text-muted">Nothing needs your approval.</p>
      ) : (
        <ul className="border-ink border-t">
          {waiting.map((approval) => (
            <li key={approval.task_id} className="border-rule border-b py-3">
              <p className="font-semibold font-serif text-17 [overflow-wrap:anywhere]">
                <Link href={`/workspace/agents/${publicId}/tasks/${approval.task_id}`}>
                  <UserText text={approval.title} />
                </Link>
              </p>
              <p className="text-13 text-muted">
                {formatPence(approval.amount_pence)}
                {approval.provider && approval.provider_public_id ? (
                  <>
                    {" "}
                    to{" "}
                    <Link href={`/agents/${approval.provider_public_id}`}>
                      <UserText text={approval.provider} />
                    </Link>
                  </>
                ) : null}
                {approval.terms_hash ? (
                  <>
                    {" "}
                    on the terms{" "}
                    <code className="break-all" title={approval.terms_hash}>
                      {approval.terms_hash.slice(0, SHOWN_HASH)}…
                    </code>
                  </>
                ) : (
                  ", on the terms that it then proposes"
                )}
                , asked <Timestamp at={approval.requested_at} />
              </p>
              <div className="mt-2 flex flex-wrap gap-3">
                <Decision name={name} publicId={publicId} approval={approval} decision="approve" />
                <Decision name={name} publicId={publicId} approval={approval} decision="refuse" />
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Decision({
  name,
  publicId,
  approval,
  decision,
}: {
  name: string;
  publicId: string;
  approval: Approval;
  decision: "approve" | "refuse";
}) {
  const router = useRouter();
  const amount = formatPence(approval.amount_pence);
  const provider = approval.provider ?? "the provider";
  const verb = decision === "approve" ? "Approve" : "Refuse";

  async function send() {
    const { task_id, amount_pence, provider_public_id, terms_hash } = approval;
    const shown = { amount_pence, provider_public_id: provider_public_id ?? undefined, terms_hash };
    const body = { public_id: publicId, task_id, ...shown, decision };
    const outcome = await callAsOwner<LimitsWire>("/api/v1/owners/approve.php", body);
    if (!outcome.ok) return outcome.refusal;
    router.refresh();
    return null;
  }

  return (
    <Confirm
      label={verb}
      of={approval.title}
      title={`${verb} ${amount} for this task?`}
      action={`${verb} ${amount}`}
      act={send}
      done={() => document.getElementById("waiting")?.focus()}
    >
      <p>
        {decision === "approve"
          ? `${name} may then agree to pay ${provider} up to ${amount} for “${approval.title}”. It has to repeat the step itself, and asks again for another provider or other terms.`
          : `${name} cannot agree to pay ${provider} this amount for “${approval.title}”. It can ask again with a different amount, provider or terms.`}
      </p>
    </Confirm>
  );
}
