import { Agreement } from "#components/agreement/agreement.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import type { ContractWire } from "#lib/contracts/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { useTermsCheck } from "./terms-check.ts";

/** The agreement's text, and below it whether its hash is right. It is accepted or declined in the bar above. */
export function AgreementPart({ task, contract }: { task: TaskWire; contract: ContractWire }) {
  const { requester, provider } = task.parties;
  if (!provider) return null;
  return (
    <div id="agreement">
      <Agreement agreement={contract} requester={requester} provider={provider} />
      {contract.terms && contract.state === "proposed" ? (
        <div className="mt-6">
          <HashFinding contract={contract} />
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
