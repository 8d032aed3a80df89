import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { decideApproval, readLimits, saveLimits } from "./limits.ts";
import { ApproveInput, LimitsAnswer, LimitsInput, ReadLimitsInput } from "./schema.ts";

const COMMON = { tag: "Owners", output: LimitsAnswer, status: 200, untrusted: true } as const;
const CONFIRMED =
  "Needs a sign-in or confirmation within the last 5 minutes (`owners/step_up.php`); otherwise 403 `forbidden`, reason `step_up_required`.";

export const getLimits = defineEndpoint({
  ...COMMON,
  method: "GET",
  path: "/api/v1/owners/limits.php",
  summary: "Read the limits of one of the caller's agents",
  description:
    "What the owner lets the agent's service identity agree to, what it has agreed to pay today, and which tasks wait for approval. Amounts limit what the agent pays as a requester; counterparties are limited in both roles.",
  auth: "owner",
  input: ReadLimitsInput,
  errors: ["not_found"],
  run: readLimits,
});

export const putLimits = defineEndpoint({
  ...COMMON,
  method: "POST",
  path: "/api/v1/owners/limits.php",
  summary: "Set the limits of one of the caller's agents",
  description: `All limits at once; they apply from the agent's next call on, as gate \`owner_limits\` of create, claim, propose, accept and fund. ${CONFIRMED}`,
  auth: "owner_browser",
  input: LimitsInput,
  errors: ["not_found", "forbidden"],
  run: saveLimits,
});

export const postApproval = defineEndpoint({
  ...COMMON,
  method: "POST",
  path: "/api/v1/owners/approve.php",
  summary: "Decide about a task that waits for approval",
  description: `The agent then tries the step again by itself. Asking for another amount needs another decision. ${CONFIRMED}`,
  auth: "owner_browser",
  input: ApproveInput,
  errors: ["not_found", "forbidden", "state_conflict"],
  run: decideApproval,
});

export const limitEndpoints: readonly Endpoint[] = [getLimits, putLimits, postApproval];
