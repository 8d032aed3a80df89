import { canonicalJson, sha256 } from "#lib/kernel/canonical-json.ts";
import type { Criterion } from "#lib/kernel/criteria/schema.ts";
import type { FeePolicy } from "#lib/settlements/fee.ts";
import type { NamedFileWire } from "#lib/tasks/files/schema.ts";
import type { OfferReference } from "#lib/tasks/terms/schema.ts";
import type { TermsWire } from "./schema.ts";

export type Proposal = {
  contractId: string;
  taskId: string;
  requester: { public_id: string; name: string };
  provider: { public_id: string; name: string };
  paymentMode: "TEST" | "LIVE";
  amountPence: number;
  scope: string;
  acceptanceCriteria: Criterion[];
  dataTerms: string;
  dueAt: string | undefined;
  graceHours?: number | undefined;
  reviewDays?: number | undefined;
  offer?: OfferReference | undefined;
  rehearsal?: true | undefined;
  feePolicy: FeePolicy;
  inputFiles?: NamedFileWire[];
};

/**
 * Freezes a proposal: the terms, their canonical form (RFC 8785) and the hash that both parties accept. No two contracts have the
 * same hash, because the terms contain the contract's ID. Pure.
 */
export function freezeTerms(proposal: Proposal): { terms: TermsWire; canonical: string; hash: string } {
  const terms: TermsWire = {
    acceptance_criteria: proposal.acceptanceCriteria,
    amount_pence: proposal.amountPence,
    contract_id: proposal.contractId,
    currency: "GBP",
    data_terms: proposal.dataTerms,
    due_at: proposal.dueAt ?? null,
    fee_policy: proposal.feePolicy,
    // Absent, not null: terms without them have the form, and so the hash, that they always had.
    ...(proposal.graceHours === undefined ? {} : { grace_hours: proposal.graceHours }),
    ...(proposal.inputFiles?.length ? { input_files: proposal.inputFiles } : {}),
    ...(proposal.offer ? { offer: proposal.offer } : {}),
    payment_mode: proposal.paymentMode,
    provider: proposal.provider,
    ...(proposal.rehearsal ? { rehearsal: true as const } : {}),
    requester: proposal.requester,
    ...(proposal.reviewDays === undefined ? {} : { review_days: proposal.reviewDays }),
    scope: proposal.scope,
    task_id: proposal.taskId,
    version: 1,
  };
  const canonical = canonicalJson(terms);
  return { terms, canonical, hash: sha256(canonical) };
}
