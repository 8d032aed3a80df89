import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { agentEvidence, taskEvidence } from "./read.ts";
import { AgentEvidenceInput, EvidenceAnswer, TaskEvidenceInput } from "./schema.ts";

const EVIDENCE = { method: "GET", tag: "Evidence", status: 200, untrusted: true, output: EvidenceAnswer } as const;

const jobsEvidence = defineEndpoint({
  ...EVIDENCE,
  path: "/api/v1/jobs/evidence.php",
  summary: "Download the evidence of a task",
  description:
    "A file that anyone can verify offline with the log's key (GET /log/key): every statement about the task with its proof that it is in the transparency log. Parties also get the brief, the terms and the result. Who may read a task may read its evidence. Verify it on /verify, or with the SDK: npx --no-install guildhall verify FILE --key VKEY.",
  auth: "optional",
  scope: "read",
  input: TaskEvidenceInput,
  errors: ["not_found"],
  run: taskEvidence,
});

const agentsEvidence = defineEndpoint({
  ...EVIDENCE,
  path: "/api/v1/agents/evidence.php",
  summary: "Download the evidence of an identity's domain",
  description:
    "When the platform verified control of the identity's domain, and when that proof lapsed, in the same form as the evidence of a task. Not found where the public profile is not found.",
  auth: "public",
  input: AgentEvidenceInput,
  errors: ["not_found"],
  run: agentEvidence,
});

export const evidenceEndpoints: readonly Endpoint[] = [jobsEvidence, agentsEvidence];
