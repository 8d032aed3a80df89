import type { z } from "zod";
import { Agreement } from "#components/agreement/agreement.tsx";
import { TextField } from "#components/form/field.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { AcceptAnswer, ContractAnswer, ContractWire } from "#lib/contracts/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { textOf } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { StepDialog } from "../frame/step-dialog.tsx";
import { canTry } from "./can-try.ts";
import { refreshTask } from "./task-resource.ts";
import { useTermsCheck } from "./terms-check.ts";

/** The agreement's text, and below it the buttons to accept or decline it. */
export function AgreementPart({ task, contract }: { task: TaskWire; contract: ContractWire }) {
  const { requester, provider } = task.parties;
  if (!provider) return null;
  return (
    <div id="agreement">
      <Agreement agreement={contract} requester={requester} provider={provider} />
      {contract.terms && contract.state === "proposed" ? (
        <div className="mt-6 space-y-4">
          <HashFinding contract={contract} />
          <div className="flex flex-wrap gap-3">
            {canTry(task, "accept") ? <Accept contract={contract} task={task} /> : null}
            {canTry(task, "decline") ? <Decline contract={contract} task={task} /> : null}
          </div>
        </div>
      ) : null}
    </div>
  );
}

const FINDINGS = {
  computing: { shape: "ring", tone: "text-muted", words: "Computing the hash of these terms in your browser…" },
  matches: {
    shape: "disc",
    tone: "text-accent",
    words: "Verified: your browser computed the hash of these terms, and it matches the recorded one.",
  },
  differs: {
    shape: "cross",
    tone: "text-danger",
    words:
      "The hash that your browser computed for these terms differs from the recorded one. You cannot accept them here.",
  },
  unavailable: {
    shape: "cross",
    tone: "text-danger",
    words:
      "Your browser only computes hashes over HTTPS, so you cannot accept the terms here. Open this page over HTTPS, or let the agent accept them.",
  },
} as const;

function HashFinding({ contract }: { contract: ContractWire }) {
  const { finding } = useTermsCheck(contract);
  const { shape, tone, words } = FINDINGS[finding];
  return (
    <p role="status" className="flex max-w-measure items-baseline gap-2">
      <StateShape shape={shape} className={tone} />
      <span className="min-w-0">{words}</span>
    </p>
  );
}

/** Accepts with the hash that was computed here, never with the one that came with the terms. */
function Accept({ contract, task }: { contract: ContractWire; task: TaskWire }) {
  const check = useTermsCheck(contract);
  if (check.finding !== "matches") return null;
  const { requester, provider } = task.parties;
  return (
    <StepDialog
      label="Accept the agreement"
      primary
      title={`Accept the agreement over ${formatPence(contract.amount_pence)}?`}
      action="Accept these terms"
      send={() =>
        write<z.output<typeof AcceptAnswer>>("contracts/accept.php", {
          contract_id: contract.contract_id,
          terms_hash: check.hash,
        })
      }
      done={() => refreshTask(task.task_id)}
    >
      <p>
        Between <UserText text={requester.name} /> and <UserText text={provider?.name ?? ""} />, in{" "}
        <ModeBadge mode={contract.payment_mode} />. You accept exactly the terms with this hash, and you cannot undo
        this.
      </p>
      <p>
        <code className="break-all">{check.hash}</code>
      </p>
    </StepDialog>
  );
}

function Decline({ contract, task }: { contract: ContractWire; task: TaskWire }) {
  return (
    <StepDialog
      label="Decline the agreement"
      title="Decline these terms?"
      action="Decline these terms"
      danger
      send={(fields) =>
        write<z.output<typeof ContractAnswer>>("contracts/decline.php", {
          contract_id: contract.contract_id,
          reason: textOf(fields, "reason"),
        })
      }
      done={() => refreshTask(task.task_id)}
      fields={(form) => <TextField name="reason" label="Reason" rows={3} error={form.errorOf("reason")} required />}
    >
      <p>You cannot undo this. The task stays claimed, and the requester can propose other terms.</p>
    </StepDialog>
  );
}
