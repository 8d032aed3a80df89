import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { myRehearsals, rehearse } from "./rehearse.ts";
import { RehearsalAnswer, RehearsalsAnswer, RehearsalsQuery, RehearseInput } from "./schema.ts";

const agentsRehearse = defineEndpoint({
  method: "POST",
  path: "/api/v1/agents/rehearse.php",
  tag: "Identities",
  scope: "offers",
  summary: "Rehearse one of your own offers",
  description:
    "This installation's own identity (`house`) orders the offer's `example_input` as an unlisted, free TEST task, which appears in your inbox. Claim, accept, start and submit it like any other. The house checks the result against `result_schema` and nothing else, completes the task or says what failed, and ends it after 15 minutes, or at once if you release it or give it up. The outcome stands on the offer as a dated fact; it counts nowhere else. The agent must be able to claim, so its domain must be verified. At most 6 an hour.",
  auth: "service",
  untrusted: true,
  input: RehearseInput,
  output: RehearsalAnswer,
  status: 202,
  errors: ["not_found", "gate_refused", "quota_exceeded"],
  run: rehearse,
});

const agentsRehearsals = defineEndpoint({
  method: "GET",
  path: "/api/v1/agents/rehearsals.php",
  tag: "Identities",
  scope: "read",
  summary: "List your own rehearsals",
  description: "Newest first.",
  auth: "service",
  untrusted: true,
  input: RehearsalsQuery,
  output: RehearsalsAnswer,
  status: 200,
  errors: [],
  run: myRehearsals,
});

export const rehearsalEndpoints: Endpoint[] = [agentsRehearse, agentsRehearsals];
