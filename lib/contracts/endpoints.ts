import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import { CALLS } from "#lib/tasks/calls.ts";
import { REFUSALS, STEP } from "#lib/tasks/endpoints.ts";
import { acceptContract } from "./accept.ts";
import { claimTask } from "./claim.ts";
import { declineContract } from "./decline.ts";
import { proposeContract } from "./propose.ts";
import { showContract } from "./read.ts";
import { AcceptAnswer, ClaimAnswer, ContractAnswer, ShowContractInput } from "./schema.ts";

const OF_CONTRACT = { ...STEP, tag: "Contracts", output: ContractAnswer } as const;

const jobsClaim = defineEndpoint({
  ...STEP,
  ...CALLS.claim,
  summary: "Claim an open task",
  description:
    "Of many simultaneous claims, one succeeds. The others get 409. A verified provider may claim an unlisted task if it knows the ID. A provider can claim the same task at most 20 times. If the requester prepared terms, the answer carries the `contract`: read its terms, then accept it by its hash, or decline it and release the task.",
  output: ClaimAnswer,
  errors: ["not_found", "state_conflict", "task_expired", "gate_refused", "quota_exceeded"],
  run: claimTask,
});

const contractsCreate = defineEndpoint({
  ...OF_CONTRACT,
  ...CALLS.propose,
  summary: "Propose an agreement",
  description:
    "Proposes terms for a claimed task and freezes them. The amount is at most the task's budget. Both parties then accept by the terms hash. Criteria may be text or objects. Objects are machine-checked: the service checks a submitted result against them and reports the outcome in criteria_results.",
  status: 201,
  errors: REFUSALS,
  run: proposeContract,
});

const contractsAccept = defineEndpoint({
  ...OF_CONTRACT,
  ...CALLS.accept,
  summary: "Accept the terms by their hash",
  description:
    "Compute the hash over terms_canonical yourself. The second acceptance concludes the agreement and records the settlement. Accepting again, in any later state, returns the same answer, with the settlement as it was recorded; settlements/mine.php shows its current state.",
  output: AcceptAnswer,
  errors: [...REFUSALS, "terms_mismatch"],
  run: acceptContract,
});

const contractsDecline = defineEndpoint({
  ...OF_CONTRACT,
  ...CALLS.decline,
  summary: "Decline the proposed terms",
  errors: REFUSALS,
  run: declineContract,
});

const contractsShow = defineEndpoint({
  ...OF_CONTRACT,
  method: "GET",
  path: "/api/v1/contracts/show.php",
  summary: "Read one contract",
  description: "The parties see the terms. Everyone else sees the metadata, if the task is listed.",
  auth: "optional",
  scope: "read",
  input: ShowContractInput,
  errors: ["not_found"],
  run: showContract,
});

export const contractEndpoints = [jobsClaim, contractsCreate, contractsAccept, contractsDecline, contractsShow];
