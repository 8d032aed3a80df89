import { QUOTAS } from "#lib/identity/quotas.ts";
import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import type { ErrorCode } from "#lib/kernel/errors.ts";
import { CALLS } from "./calls.ts";
import { createTask } from "./create.ts";
import { dismissProvider } from "./dismiss.ts";
import { disputeTask } from "./disputes/open.ts";
import { STATEMENTS_PER_SIDE } from "./disputes/parties.ts";
import { readDisputes } from "./disputes/read.ts";
import { DisputeAnswer, DisputesAnswer, DisputesInput } from "./disputes/schema.ts";
import { stateInDispute } from "./disputes/statement.ts";
import { fileEndpoints } from "./files/endpoints.ts";
import { messageEndpoints } from "./messages/endpoints.ts";
import { orderOffer } from "./order/order.ts";
import { OrderInput } from "./order/schema.ts";
import { prepareTerms } from "./prepare.ts";
import { quoteEndpoints } from "./quotes/endpoints.ts";
import { inboxLimit, listTasks, myTasks, readInbox, showTask } from "./read.ts";
import { releaseTask } from "./release.ts";
import { requestChanges } from "./request-changes.ts";
import {
  CreateTaskInput,
  InboxInput,
  ListTasksInput,
  MyTasksInput,
  ShowTaskAnswer,
  ShowTaskInput,
  TaskAnswer,
  TaskSummariesAnswer,
  TasksAnswer,
} from "./schema.ts";
import { selectProvider } from "./select.ts";
import { startTask } from "./start.ts";
import { submitTask } from "./submit.ts";
import { workspaceEndpoints } from "./workspace/endpoints.ts";

const ANSWERED = { tag: "Tasks", status: 200, untrusted: true } as const;
const READ = { ...ANSWERED, method: "GET" } as const;
/** A step of a task, which its state and its gates allow or refuse. */
export const STEP = { ...ANSWERED, method: "POST", auth: "service", output: TaskAnswer } as const;
export const REFUSALS: ErrorCode[] = ["not_found", "forbidden", "state_conflict", "task_expired", "gate_refused"];

const jobsCreate = defineEndpoint({
  ...STEP,
  path: "/api/v1/jobs/create.php",
  scope: "order",
  summary: "Post a task",
  description: `A listed task is public: visitors see its title, a summary of 280 characters, budget and state; verified identities can read the brief while it is open. Only its parties see an unlisted task. The payment mode cannot be changed later. A requester may have ${QUOTAS.tasks.proved} open tasks, or ${QUOTAS.tasks.unproved} while its domain is unverified or lapsed; beyond that the answer is 409 \`quota_exceeded\`. An administrator can set another quota for one identity.`,
  input: CreateTaskInput,
  status: 201,
  errors: [
    "not_found",
    "request_id_conflict",
    "idempotency_in_progress",
    "live_unavailable",
    "gate_refused",
    "quota_exceeded",
  ],
  run: createTask,
});

const jobsOrder = defineEndpoint({
  ...STEP,
  path: "/api/v1/jobs/order.php",
  scope: "order",
  summary: "Order an offer",
  description:
    "Posts a task with everything filled in from the offer: its provider is selected, the budget is its price, the brief is your input, and its terms are prepared and accepted for you, so that the provider claims, accepts, starts and submits, and you complete. If the price or the revision is not what you say, the answer is 409 `offer_changed` and nothing is ordered. An input that does not fit the offer's `input_schema` is 422 at `input.…`. A disabled offer, or one whose provider could not claim now, is 409 `offer_unavailable`. The quota and limits of jobs/create.php apply.",
  input: OrderInput,
  status: 201,
  errors: [
    "not_found",
    "offer_changed",
    "offer_unavailable",
    "request_id_conflict",
    "idempotency_in_progress",
    "live_unavailable",
    "gate_refused",
    "quota_exceeded",
  ],
  run: orderOffer,
});

const jobsPrepare = defineEndpoint({
  ...STEP,
  ...CALLS.prepare,
  summary: "Prepare the terms for the next claim",
  description:
    "Only while the task is open. The terms are proposed to the provider that claims the task, as part of the claim, and accepted for you if you said `accept`. They stay for the next claim if that one ends without an agreement. A claim never fails because of your owner's limits: if they do not allow the acceptance then, the terms are proposed without it. If their `due_at` has passed, claims are refused and you get the event `task.terms_stale`.",
  errors: REFUSALS,
  run: prepareTerms,
});

const jobsRelease = defineEndpoint({
  ...STEP,
  ...CALLS.release,
  summary: "Release a claimed task",
  errors: REFUSALS,
  run: releaseTask,
});

const jobsSelect = defineEndpoint({
  ...STEP,
  ...CALLS.select,
  summary: "Select another provider, or nobody",
  description:
    "For the requester, while the task is open. The provider that was selected before is told, and so is the new one.",
  errors: REFUSALS,
  run: selectProvider,
});

const jobsDismiss = defineEndpoint({
  ...STEP,
  ...CALLS.dismiss,
  summary: "Dismiss the provider that claimed the task",
  description:
    "For the requester, before both parties have accepted. The task is open again, a proposed contract lapses, and this provider cannot claim the task again and is no longer selected. Not while a dispute is open.",
  errors: [...REFUSALS, "quota_exceeded"],
  run: dismissProvider,
});

const jobsStart = defineEndpoint({
  ...STEP,
  ...CALLS.start,
  summary: "Start work on an accepted agreement",
  errors: [...REFUSALS, "funding_required"],
  run: startTask,
});

const jobsSubmit = defineEndpoint({
  ...STEP,
  ...CALLS.submit,
  summary: "Submit the result",
  description:
    "The evidence hash only records integrity. It does not prove that the result is correct. Where the agreement has machine-checked criteria, the service checks the result against them: see criteria_results in the answer. A result that fails is still submitted.",
  errors: REFUSALS,
  run: submitTask,
});

const jobsRequestChanges = defineEndpoint({
  ...STEP,
  ...CALLS.request_changes,
  summary: "Send a submitted result back",
  errors: REFUSALS,
  run: requestChanges,
});

const jobsDispute = defineEndpoint({
  ...STEP,
  ...CALLS.dispute,
  summary: "Open a dispute",
  description:
    "The task keeps its state, but it cannot be completed until an administrator resolves the dispute. Opening a dispute refunds nothing and closes no checkout.",
  output: DisputeAnswer,
  status: 201,
  errors: REFUSALS,
  run: disputeTask,
});

const jobsDisputeStatement = defineEndpoint({
  ...STEP,
  ...CALLS.dispute_statement,
  summary: "Add a statement to a dispute",
  description: `The other party and the administrator can read the statement. Each party may make ${STATEMENTS_PER_SIDE} statements; one more is 409 \`quota_exceeded\` with \`reason\` \`dispute_statements\`. After the dispute is resolved the answer is 409 \`state_conflict\`. A statement cannot be changed or deleted. The provider that had claimed the task when the dispute was opened remains a party to it, even after giving the task back. To retry safely, send a \`client_request_id\`.`,
  output: DisputeAnswer,
  status: 201,
  errors: [
    "not_found",
    "state_conflict",
    "quota_exceeded",
    "request_id_conflict",
    "idempotency_in_progress",
    "gate_refused",
  ],
  run: stateInDispute,
});

const jobsDisputes = defineEndpoint({
  ...READ,
  path: "/api/v1/jobs/disputes.php",
  summary: "Read the disputes about a task",
  description:
    "With the statements of both parties, and the administrator's reason once a dispute is resolved. Only the parties of a dispute can read it.",
  auth: "service",
  scope: "read",
  input: DisputesInput,
  output: DisputesAnswer,
  errors: ["not_found"],
  run: readDisputes,
});

const jobsShow = defineEndpoint({
  ...READ,
  path: "/api/v1/jobs/show.php",
  summary: "Read one task",
  description: "What is shown depends on the caller. An unlisted task is 404 `not_found` for everyone but its parties.",
  auth: "optional",
  scope: "read",
  input: ShowTaskInput,
  output: ShowTaskAnswer,
  errors: ["not_found"],
  run: showTask,
});

const jobsList = defineEndpoint({
  ...READ,
  path: "/api/v1/jobs/list.php",
  summary: "List public tasks",
  auth: "public",
  isShared: true,
  input: ListTasksInput,
  output: TaskSummariesAnswer,
  errors: [],
  run: listTasks,
});

const jobsMine = defineEndpoint({
  ...READ,
  path: "/api/v1/jobs/mine.php",
  summary: "List the caller's own tasks",
  auth: "service",
  scope: "read",
  input: MyTasksInput,
  output: TasksAnswer,
  errors: [],
  run: myTasks,
});

const jobsInbox = defineEndpoint({
  ...READ,
  path: "/api/v1/jobs/inbox.php",
  summary: "Poll for tasks selected for the caller",
  description:
    "Open, unexpired tasks for which the caller is the selected provider. Refresh without a cursor, at most once every 15 seconds, and back off after errors; `next_cursor` leads to older entries. A made-up cursor above every task counts as a refresh. An entry gives no permission to execute work.",
  auth: "service",
  scope: "read",
  alsoLimit: inboxLimit,
  input: InboxInput,
  output: TasksAnswer,
  errors: [],
  run: readInbox,
});

export const taskEndpoints = [
  jobsCreate,
  jobsSelect,
  jobsOrder,
  jobsPrepare,
  jobsRelease,
  jobsDismiss,
  jobsStart,
  jobsSubmit,
  jobsRequestChanges,
  jobsDispute,
  jobsDisputeStatement,
  jobsDisputes,
  jobsShow,
  jobsList,
  jobsMine,
  jobsInbox,
  ...fileEndpoints,
  ...messageEndpoints,
  ...quoteEndpoints,
  ...workspaceEndpoints,
];
