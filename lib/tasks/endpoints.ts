import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import { cancelTask } from "./cancel.ts";
import { claimTask } from "./claim.ts";
import { completeTask } from "./complete.ts";
import { createTask } from "./create.ts";
import { disputeTask } from "./dispute.ts";
import { listTasks, myTasks, readInbox, showTask } from "./read.ts";
import { releaseTask } from "./release.ts";
import { requestChanges } from "./request-changes.ts";
import {
  CompletionAnswer,
  CreateTaskInput,
  DisputeAnswer,
  InboxInput,
  ListTasksInput,
  MyTasksInput,
  RequiredReasonInput,
  ShowTaskAnswer,
  ShowTaskInput,
  SubmitInput,
  TaskAnswer,
  TaskReasonInput,
  TaskStepInput,
  TaskSummariesAnswer,
  TasksAnswer,
} from "./schema.ts";
import { startTask } from "./start.ts";
import { submitTask } from "./submit.ts";

const tag = "Tasks";

export const jobsCreate = defineEndpoint({
  method: "POST",
  path: "/api/v1/jobs/create.php",
  tag,
  summary: "Post a task",
  description:
    "A listed task is public: visitors see its title, a summary of 280 characters, budget and state; verified identities read the brief while it is open. An unlisted task is visible to its parties alone. The payment mode is recorded for good.",
  auth: "service",
  input: CreateTaskInput,
  output: TaskAnswer,
  status: 201,
  untrusted: true,
  errors: ["not_found", "request_id_conflict", "idempotency_in_progress", "live_unavailable", "gate_refused"],
  run: createTask,
});

export const jobsClaim = defineEndpoint({
  method: "POST",
  path: "/api/v1/jobs/claim.php",
  tag,
  summary: "Claim an open task",
  description:
    "Of many simultaneous claims one succeeds; the others get 409. A verified provider may claim an unlisted task whose ID it knows.",
  auth: "service",
  input: TaskStepInput,
  output: TaskAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found", "state_conflict", "task_expired", "gate_refused"],
  run: claimTask,
});

export const jobsRelease = defineEndpoint({
  method: "POST",
  path: "/api/v1/jobs/release.php",
  tag,
  summary: "Give a claimed task back",
  auth: "service",
  input: TaskReasonInput,
  output: TaskAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found", "forbidden", "state_conflict", "task_expired", "gate_refused"],
  run: releaseTask,
});

export const jobsStart = defineEndpoint({
  method: "POST",
  path: "/api/v1/jobs/start.php",
  tag,
  summary: "Start work on an accepted agreement",
  auth: "service",
  input: TaskStepInput,
  output: TaskAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found", "forbidden", "state_conflict", "task_expired", "gate_refused", "funding_required"],
  run: startTask,
});

export const jobsSubmit = defineEndpoint({
  method: "POST",
  path: "/api/v1/jobs/submit.php",
  tag,
  summary: "Submit the result",
  description: "The evidence hash records integrity only: it does not prove that the result is correct.",
  auth: "service",
  input: SubmitInput,
  output: TaskAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found", "forbidden", "state_conflict", "task_expired", "gate_refused"],
  run: submitTask,
});

export const jobsRequestChanges = defineEndpoint({
  method: "POST",
  path: "/api/v1/jobs/request_changes.php",
  tag,
  summary: "Send a submitted result back",
  auth: "service",
  input: RequiredReasonInput,
  output: TaskAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found", "forbidden", "state_conflict", "task_expired", "gate_refused"],
  run: requestChanges,
});

export const jobsComplete = defineEndpoint({
  method: "POST",
  path: "/api/v1/jobs/complete.php",
  tag,
  summary: "Confirm completion",
  description: "Approves the settlement. Approval is not a charge, and completion is no proof of a transfer or payout.",
  auth: "service",
  input: TaskStepInput,
  output: CompletionAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found", "forbidden", "state_conflict", "task_expired", "gate_refused"],
  run: completeTask,
});

export const jobsCancel = defineEndpoint({
  method: "POST",
  path: "/api/v1/jobs/cancel.php",
  tag,
  summary: "Cancel a task before work begins",
  auth: "service",
  input: TaskReasonInput,
  output: TaskAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found", "forbidden", "state_conflict", "task_expired", "gate_refused"],
  run: cancelTask,
});

export const jobsDispute = defineEndpoint({
  method: "POST",
  path: "/api/v1/jobs/dispute.php",
  tag,
  summary: "Open a dispute",
  description:
    "A fact beside the task's state: it holds completion until an administrator resolves it. It refunds nothing and expires no checkout.",
  auth: "service",
  input: RequiredReasonInput,
  output: DisputeAnswer,
  status: 201,
  untrusted: true,
  errors: ["not_found", "forbidden", "state_conflict", "task_expired", "gate_refused"],
  run: disputeTask,
});

export const jobsShow = defineEndpoint({
  method: "GET",
  path: "/api/v1/jobs/show.php",
  tag,
  summary: "Read one task",
  description: "How much is shown depends on who asks. An unlisted task is not found for anyone but its parties.",
  auth: "optional",
  input: ShowTaskInput,
  output: ShowTaskAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found"],
  run: showTask,
});

export const jobsList = defineEndpoint({
  method: "GET",
  path: "/api/v1/jobs/list.php",
  tag,
  summary: "List public tasks",
  auth: "public",
  input: ListTasksInput,
  output: TaskSummariesAnswer,
  status: 200,
  untrusted: true,
  errors: [],
  run: listTasks,
});

export const jobsMine = defineEndpoint({
  method: "GET",
  path: "/api/v1/jobs/mine.php",
  tag,
  summary: "List the caller's own tasks",
  auth: "service",
  input: MyTasksInput,
  output: TasksAnswer,
  status: 200,
  untrusted: true,
  errors: [],
  run: myTasks,
});

export const jobsInbox = defineEndpoint({
  method: "GET",
  path: "/api/v1/jobs/inbox.php",
  tag,
  summary: "Poll for tasks selected for the caller",
  description:
    "Open, unexpired tasks for which the caller is the selected provider. Refresh without a cursor, no more than once every 15 seconds, and back off on errors; next_cursor leads to older entries. An entry grants no permission to execute work.",
  auth: "service",
  alsoLimit: (query) => (query.has("cursor") ? undefined : "inbox_refresh"),
  input: InboxInput,
  output: TasksAnswer,
  status: 200,
  untrusted: true,
  errors: [],
  run: readInbox,
});

export const taskEndpoints = [
  jobsCreate,
  jobsClaim,
  jobsRelease,
  jobsStart,
  jobsSubmit,
  jobsRequestChanges,
  jobsComplete,
  jobsCancel,
  jobsDispute,
  jobsShow,
  jobsList,
  jobsMine,
  jobsInbox,
];
