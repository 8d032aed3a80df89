import type { Contract } from "#lib/db/generated/client.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { CriterionResultWire } from "#lib/kernel/criteria/schema.ts";
import { criteriaView } from "#lib/tasks/view.ts";
import type { ContractWire, TermsWire } from "./schema.ts";

/**
 * A contract; its terms only for its parties.
 * @param results what the service found in the latest submission
 */
export function contractView(
  contract: Contract,
  forParty: boolean,
  results: CriterionResultWire[] | null = null,
): ContractWire {
  return {
    contract_id: contract.id,
    task_id: contract.taskId,
    state: contract.state,
    payment_mode: contract.paymentMode,
    amount_pence: contract.amountPence,
    currency: "GBP",
    ...(forParty ? { terms: contract.terms as TermsWire, terms_canonical: contract.termsCanonical } : {}),
    terms_hash: contract.termsHash,
    requester_accepted_at: iso(contract.requesterAcceptedAt),
    provider_accepted_at: iso(contract.providerAcceptedAt),
    requester_prepared_at: iso(contract.requesterPreparedAt),
    declined_at: iso(contract.declinedAt),
    declined_by: contract.declinedBy,
    ...(forParty ? { ...criteriaView(results), decline_reason: contract.declineReason } : {}),
    created_at: iso(contract.createdAt),
  };
}
