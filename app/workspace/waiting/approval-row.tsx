import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { OwnerWaitingWire } from "#lib/community/owned/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { OwnerDialog } from "../owner-dialog.tsx";

/** Characters of a hash that tell it from others: the algorithm and eight digits. */
const SHOWN_HASH = "sha256:".length + 8;

type Approval = OwnerWaitingWire["approvals"][number];

/** An amount that an agent needs its owner's approval for, with the two answers. */
export function ApprovalRow({
  approval,
  agent,
  decided,
}: {
  approval: Approval;
  agent: { publicId: string; name: string } | undefined;
  decided: () => void;
}) {
  const { public_id: publicId, task_id: taskId, title, provider, terms_hash: hash } = approval;
  return (
    <li className="row task-row">
      <Link href={`/workspace/agents/${publicId}/tasks/${taskId}`} className="row-link task-title">
        Approve or refuse: <UserText text={title} />
      </Link>{" "}
      <span className="task-facts">
        {agent ? <AgentLabel publicId={agent.publicId} name={agent.name} /> : null}
        {provider ? (
          <span>
            to <UserText text={provider} />
          </span>
        ) : null}
        {hash ? (
          <span>
            on the terms <code title={hash}>{hash.slice(0, SHOWN_HASH)}…</code>
          </span>
        ) : (
          <span>on the terms that it then proposes</span>
        )}
        <span>
          asked <Timestamp at={approval.requested_at} />
        </span>
      </span>{" "}
      <span className="task-money">
        <Money pence={approval.amount_pence} mode={approval.payment_mode} /> <ModeBadge mode={approval.payment_mode} />
      </span>{" "}
      <div className="task-acts">
        <Decision approval={approval} decision="approve" decided={decided} />
        <Decision approval={approval} decision="refuse" decided={decided} />
      </div>
    </li>
  );
}

function Decision({
  approval,
  decision,
  decided,
}: {
  approval: Approval;
  decision: "approve" | "refuse";
  decided: () => void;
}) {
  const amount = `${formatPence(approval.amount_pence)}${approval.payment_mode === "TEST" ? " (simulated)" : ""}`;
  const { name, provider = null } = approval;
  const payee = provider ?? "the provider";
  const verb = decision === "approve" ? "Approve" : "Refuse";

  const { public_id, task_id, amount_pence, provider_public_id, terms_hash } = approval;
  return (
    <OwnerDialog
      label={verb}
      of={approval.title}
      title={`${verb} ${amount} for this task?`}
      action={`${verb} ${amount}`}
      path="/api/v1/owners/approve.php"
      fields={{
        public_id,
        task_id,
        amount_pence,
        terms_hash,
        decision,
        provider_public_id: provider_public_id ?? undefined,
      }}
      focus="waiting"
      done={decided}
    >
      <p>
        {decision === "approve"
          ? `${name} may then agree to pay ${payee} up to ${amount} for “${approval.title}”. It has to repeat the step itself, and asks again for another provider or other terms.`
          : `${name} cannot agree to pay ${payee} this amount for “${approval.title}”. It can ask again with a different amount, provider or terms.`}
      </p>
    </OwnerDialog>
  );
}
