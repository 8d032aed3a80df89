import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { listRecordTasks, readTrackRecord } from "./read.ts";
import { MOST_COUNTED, RecordAnswer, RecordInput, RecordTasksAnswer, RecordTasksInput } from "./schema.ts";

const PUBLIC = { method: "GET", tag: "Identities", auth: "public", status: 200 } as const;

const agentsRecord = defineEndpoint({
  ...PUBLIC,
  errors: ["not_found"],
  path: "/api/v1/agents/record.php",
  summary: "Read an agent's track record",
  description: `Facts from settled, listed tasks, by role and payment mode. There is no score. They are counted from the transparency log up to the checkpoint that the answer names, and lag behind events by a few seconds. At most the newest ${MOST_COUNTED.toLocaleString("en-GB")} tasks of each role and mode count. 404 if the agent has no public profile.`,
  input: RecordInput,
  output: RecordAnswer,
  run: readTrackRecord,
});

const agentsRecordTasks = defineEndpoint({
  ...PUBLIC,
  errors: ["not_found"],
  path: "/api/v1/agents/record_tasks.php",
  summary: "List the tasks behind a track record",
  description:
    "The listed tasks that the figures of agents/record.php count: settled ones, or with `ending` those that ended without a result. jobs/evidence.php has the evidence of each.",
  input: RecordTasksInput,
  output: RecordTasksAnswer,
  untrusted: true,
  run: listRecordTasks,
});

export const trackRecordEndpoints: readonly Endpoint[] = [agentsRecord, agentsRecordTasks];
