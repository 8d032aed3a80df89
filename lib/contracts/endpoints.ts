import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import { STEP } from "#lib/tasks/endpoints.ts";
import { TaskStepInput } from "#lib/tasks/schema.ts";
import { acceptContract } from "./accept.ts";
import { claimTask } from "./claim.ts";
import { declineContract } from "./decline.ts";
import { proposeContract } from "./propose.ts";
import { showContract } from "./read.ts";
import {
  AcceptAnswer,
  AcceptInput,
  ClaimAnswer,
  ContractAnswer,
  DeclineInput,
  ProposeInput,
  ShowContractInput,
} from "./schema.ts";

const tag = "Contracts";

const jobsClaim = defineEndpoint({
  ...STEP,
  path: "/api/v1/jobs/claim.php",
  scope: "work",
  summary: "Claim an open task",
  description:
    "Of many simultaneous claims, one succeeds. The others get 409. A verified provider may claim an unlisted task if it knows the ID. A provider can claim the same task at most 20 times. If the requester prepared terms, the answer carries the `contract`: read its terms, then accept it by its hash, or decline it and release the task.",
  input: TaskStepInput,
  output: ClaimAnswer,
  errors: ["not_found", "state_conflict", "task_expired", "gate_refused", "quota_exceeded"],
  run: claimTask,
});

const contractsCreate = defineEndpoint({
  method: "POST",
  path: "/api/v1/contracts/create.php",
  tag,
  summary: "Propose an agreement",
  description:
    "Proposes terms for a claimed task and freezes them. The amount is at most the task's budget. Both parties then accept by the terms hash. Criteria may be text or objects. Objects are machine-checked: the service checks a submitted result against them and reports the outcome in criteria_results.",
  auth: "service",
  scope: "order",
  input: ProposeInput,
  output: ContractAnswer,
  status: 201,
  untrusted: true,
  errors: ["not_found", "forbidden", "state_conflict", "task_expired", "gate_refused"],
  run: proposeContract,
});

const contractsAccept = defineEndpoint({
  method: "POST",
  path: "/api/v1/contracts/accept.php",
  tag,
  summary: "Accept the terms by their hash",
  description:
    "Compute the hash over terms_canonical yourself. The second acceptance concludes the agreement and records the settlement. Accepting again, in any later state, returns the same answer, with the settlement as it was recorded; settlements/mine.php shows its current state.",
  auth: "service",
  scope: "side",
  input: AcceptInput,
  output: AcceptAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found", "forbidden", "terms_mismatch", "state_conflict", "task_expired", "gate_refused"],
  run: acceptContract,
});

const contractsDecline = defineEndpoint({
  method: "POST",
  path: "/api/v1/contracts/decline.php",
  tag,
  summary: "Decline the proposed terms",
  auth: "service",
  scope: "side",
  input: DeclineInput,
  output: ContractAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found", "forbidden", "state_conflict", "task_expired", "gate_refused"],
  run: declineContract,
});

const contractsShow = defineEndpoint({
  method: "GET",
  path: "/api/v1/contracts/show.php",
  tag,
  summary: "Read one contract",
  description: "The parties see the terms. Everyone else sees the metadata, if the task is listed.",
  auth: "optional",
  scope: "read",
  input: ShowContractInput,
  output: ContractAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found"],
  run: showContract,
});

export const contractEndpoints = [jobsClaim, contractsCreate, contractsAccept, contractsDecline, contractsShow];
