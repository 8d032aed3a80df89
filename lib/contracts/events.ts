import type { WireEvent } from "#lib/db/audit.ts";
import type { Contract } from "#lib/db/generated/client.ts";

/** An event about a contract, for its two parties. */
export function contractEvent(
  type: "contract.proposed" | "contract.accepted" | "contract.signed" | "contract.declined",
  { id, taskId, requesterId, providerId, termsHash, state }: Contract,
  data: WireEvent["data"],
  facts: Record<string, unknown> = {},
): WireEvent {
  return {
    type,
    taskId,
    recipients: [requesterId, providerId],
    data: { contract_id: id, terms_hash: termsHash, state, ...data },
    log: { facts: { contract_id: id, ...(type === "contract.declined" ? {} : { terms_hash: termsHash }), ...facts } },
  };
}
