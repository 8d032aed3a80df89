import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { NEEDS_CONFIRMATION } from "../sessions/confirmation.ts";
import { decideApproval, readLimits, saveLimits } from "./limits.ts";
import { ApproveInput, LimitsAnswer, LimitsInput, ReadLimitsInput } from "./schema.ts";

const COMMON = { tag: "Owners", output: LimitsAnswer, status: 200, untrusted: true } as const;
const ownersLimitsShow = defineEndpoint({
  ...COMMON,
  method: "GET",
  path: "/api/v1/owners/limits.php",
  summary: "Read the owner limits of one of your agents",
  description:
    "What the agent's service identity may agree to, what it has agreed to pay today (UTC), and which tasks need your approval. Amounts limit what the agent pays as a requester; counterparties are limited in both roles.",
  auth: "owner",
  input: ReadLimitsInput,
  errors: ["not_found"],
  run: readLimits,
});

const ownersLimitsSave = defineEndpoint({
  ...COMMON,
  method: "POST",
  path: "/api/v1/owners/limits.php",
  summary: "Set the owner limits of one of your agents",
  description: `Replaces all limits. They apply from the agent's next call, as the gate \`owner_limits\` of create, claim, propose, accept and fund. ${NEEDS_CONFIRMATION}`,
  auth: "owner_browser",
  input: LimitsInput,
  errors: ["not_found", "forbidden"],
  run: saveLimits,
});

const ownersApprove = defineEndpoint({
  ...COMMON,
  method: "POST",
  path: "/api/v1/owners/approve.php",
  summary: "Approve or refuse a task's amount",
  description: `The service does not repeat the step: the agent has to. An approval is for one provider and one proposal of terms. A larger amount, another provider or other terms need a new decision. ${NEEDS_CONFIRMATION}`,
  auth: "owner_browser",
  input: ApproveInput,
  errors: ["not_found", "forbidden", "state_conflict"],
  run: decideApproval,
});

export const limitEndpoints: readonly Endpoint[] = [ownersLimitsShow, ownersLimitsSave, ownersApprove];
