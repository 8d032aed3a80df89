import { hash } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "#lib/kernel/canonical-json.ts";
import { orderInputField } from "#lib/kernel/criteria/json-fields.ts";
import { type Endpoint, JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { ApiError, type FieldError, invalidInput, notFound } from "#lib/kernel/errors.ts";
import { ClientRequestId, id, Pence, PublicId, Skill } from "#lib/kernel/fields.ts";
import type { Task } from "#sdk/generated/api.ts";
import { type HireCalls, type HireStage, HireStopped, startOrder, takeStep } from "#sdk/hire.ts";
import { endpointNamed } from "../registry.ts";
import { type Caller, callAs } from "./call.ts";

// The tool `hire`: the SDK's `hire`, where the model or its host replaces the waiting loop. The service keeps nothing about a hire but the
// task: each call looks at the task and takes the step that is due, so that any number of calls, in any process, hire once.

const HireInput = z.strictObject({
  public_id: PublicId,
  offer_id: id("ofr").optional().describe("The offer to order. Send this or skill."),
  skill: Skill.optional().describe("Without offer_id: order the cheapest available offer with this skill."),
  input: orderInputField("What to work on: JSON that fits the offer's input_schema, or text if the offer has none."),
  max_price_pence: Pence.describe("The most that may be paid, in pence. A dearer offer is not ordered."),
  due_in_hours: z
    .int()
    .min(1)
    .max(8_760)
    .optional()
    .describe("Only an offer whose work is due within so many hours. Default: any."),
  client_request_id: ClientRequestId.optional().describe(
    "Names this order: the same ID goes on with it and never orders twice. Default: made from the other arguments, so send one to order the same again.",
  ),
});
type Input = z.output<typeof HireInput>;

/** What the tool answers. */
export type Hired = {
  ok: true;
  content_trust: "untrusted";
  stage: HireStage | "ended";
  /** Whether nothing more happens by calling again: it is completed, has ended, or is left to the caller. */
  is_over: boolean;
  task_id: string;
  client_request_id: string;
  /** The tool to call next, and what to do with its answer. */
  next: { tool: string; arguments: Record<string, unknown>; hint: string } | null;
  task: Task;
};

type Refusal = { ok: false; error: { code: string; message: string; retryable: boolean } };
export type HireAnswer = Hired | Refusal;

type Options = Parameters<typeof startOrder>[1];

/** A call within a hire that was refused; its answer is the hire's. */
class Refused extends Error {
  readonly answer: Refusal;
  constructor(answer: Refusal) {
    super("refused");
    this.answer = answer;
  }
}

/** The calls of a hire by this caller: each is admitted, limited, checked and recorded like any other. */
function callsOf(caller: Caller): HireCalls {
  const call = (operation: string, fillsPublicId = true) => {
    const endpoint = endpointNamed(operation);
    return async (input: object | undefined, { idempotencyKey }: { idempotencyKey?: string } = {}) => {
      const given = { raw: { value: { ...input } }, idempotencyKey: idempotencyKey ?? null };
      const answer = await callAs(caller, { endpoint, fillsPublicId }, given);
      if (answer.ok !== true) throw new Refused(answer as Refusal);
      return answer as never;
    };
  };
  return {
    agents: { match: call("agentsMatch", false), offersList: call("agentsOffersList", false) },
    contracts: { accept: call("contractsAccept") },
    jobs: {
      mine: call("jobsMine"),
      order: call("jobsOrder"),
      show: call("jobsShow"),
      complete: call("jobsComplete"),
    },
    payments: { intent: call("paymentsIntent"), confirm: call("paymentsConfirm") },
  };
}

const ORDER = endpointNamed("jobsOrder");

/** The tool as an endpoint, although it has no path of its own. */
export const HIRE: Endpoint = {
  ...ORDER,
  summary: "Hire an agent",
  description:
    "Orders an offer for at most `max_price_pence`, pays for it by a simulated TEST payment once it is agreed, and completes it if the result passes all machine-checked criteria; otherwise the result is left to you. It answers at once: call the tool in `next`, then hire again with the same arguments, until `is_over`.",
  input: HireInput,
};

/** What the schema alone can't say of the arguments. */
export function hireProblems({ offer_id, skill }: Record<string, unknown>): FieldError[] {
  if (offer_id === undefined && skill === undefined)
    return [{ path: "offer_id", message: "is required, unless you send skill" }];
  return offer_id !== undefined && skill !== undefined
    ? [{ path: "skill", message: "must be left out if you send offer_id" }]
    : [];
}

/** The endpoint of one call of the tool. */
export const hireFor = (caller: Caller): Endpoint => ({
  ...HIRE,
  run: async (_, input) => new Reply(200, new JsonText(JSON.stringify(await hire(caller, input as Input)))),
});

async function hire(caller: Caller, input: Input): Promise<HireAnswer> {
  const { public_id: _, client_request_id: given, ...wanted } = input;
  const clientRequestId = given ?? `hire-${hash("sha256", canonicalJson(wanted), "base64url")}`;
  const { offer_id: offer, skill, due_in_hours: dueInHours, max_price_pence: maxPricePence } = input;
  const options = {
    input: input.input,
    maxPricePence,
    clientRequestId,
    ...(offer === undefined ? {} : { offer }),
    ...(skill === undefined ? {} : { skill }),
    ...(dueInHours === undefined ? {} : { dueInHours }),
  };
  const calls = callsOf(caller);
  return goingOn(calls, options, () => startOrder(calls, options));
}

/** The task of one of this caller's hires, or the refusal if it is not one. */
export async function findHire(caller: Caller, taskId: string): Promise<{ task: Task } | Refusal> {
  try {
    const { task } = await callsOf(caller).jobs.show({ task_id: taskId });
    // Only the requester sees the request ID, and only an order has an offer.
    if (task.offer !== undefined && task.client_request_id !== undefined) return { task };
    return { ok: false, error: { code: "not_found", message: "", retryable: false } };
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

/** Goes on with a hire from its task alone. */
export function goOn(caller: Caller, task: Task): Promise<HireAnswer> {
  const options = { input: null, maxPricePence: task.budget_pence, clientRequestId: task.client_request_id ?? "" };
  return goingOn(callsOf(caller), options, async () => task);
}

/** Takes the step that is due. @returns the status of the hire */
async function goingOn(calls: HireCalls, options: Options, find: () => Promise<Task>): Promise<HireAnswer> {
  let stage: Hired["stage"] = "ordered";
  try {
    const task = await takeStep(calls, await find(), options, (next) => {
      stage = next;
    });
    return hired(task.state === "completed" ? "completed" : stage, task, options);
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    if (!(error instanceof HireStopped)) throw error;
    if (error.task) return hired(error.reason === "not_accepted" ? "reviewing" : "ended", error.task, options);
    throw refusalOf(error, options);
  }
}

function hired(stage: Hired["stage"], task: Task, { clientRequestId }: Options): Hired {
  const isOver = stage === "completed" || stage === "ended" || stage === "reviewing";
  return {
    ok: true,
    content_trust: "untrusted",
    stage,
    is_over: isOver,
    task_id: task.task_id,
    client_request_id: clientRequestId,
    next: nextOf(stage, task),
    task,
  };
}

function nextOf(stage: Hired["stage"], task: Task): Hired["next"] {
  const { task_id, version } = task;
  if (stage === "completed") return { tool: "jobs_evidence", arguments: { task_id }, hint: "Nothing is left to do." };
  if (stage === "ended") return null;
  if (stage === "reviewing")
    return {
      tool: "jobs_complete",
      arguments: { task_id },
      hint: "Read the result first. If it is not right, call jobs_request_changes instead.",
    };
  // A task that has to be paid for waits for that before there can be a result.
  const isPaid = task.budget_pence === 0 || stage === "waiting_for_result" || stage === "funding";
  const until = isPaid ? { until: "submitted" } : { until: "change", after_version: version };
  return { tool: "jobs_wait", arguments: { task_id, ...until }, hint: "Call hire again with the same arguments." };
}

/** Why nothing was ordered. */
function refusalOf({ reason, message }: HireStopped, { offer }: Options): ApiError {
  if (reason === "too_expensive")
    return invalidInput("max_price_pence", `must be at least the offer's price: ${message}`);
  if (reason === "no_offer" && offer !== undefined) return notFound();
  return new ApiError(
    "offer_unavailable",
    `${message} agents/match.php shows which offers can be ordered now, with their prices and turnaround.`,
    { reason },
  );
}
