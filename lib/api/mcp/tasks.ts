import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Task } from "#sdk/generated/api.ts";
import { endpointNamed } from "../registry.ts";
import { type Caller, callAs } from "./call.ts";
import { resultOf, type ToolResult } from "./call-tool.ts";
import { findHire, goOn, type HireAnswer, type Hired } from "./hire.ts";

// The extension for long-running calls, for which the tool `hire` is made: the host polls the status of a hire, and the model gets the outcome.
// A task of the protocol is a hire, and its ID that of the hire's task. Nothing is stored about it: its status follows from the task.

const EXTENSION = "io.modelcontextprotocol/tasks";
/** What the server and its clients declare. */
export const TASKS_CAPABILITY = { extensions: { [EXTENSION]: {} } };

const POLL_MS = 5_000;
const INVALID_PARAMS = -32_602;
const SERVER_ERROR = -32_000;

const OfTask = z.looseObject({ taskId: z.string().max(100) });

const WORDS: Record<Hired["stage"], string> = {
  ordered: "Ordered.",
  waiting_for_provider: "Waiting for the provider to accept the order.",
  waiting_for_approval: "Waiting for your owner to approve the amount.",
  funding: "Paid for by a simulated TEST payment.",
  waiting_for_payment: "Waiting for the payment.",
  waiting_for_result: "Waiting for the result.",
  reviewing: "There is a result, which is left to you.",
  completed: "Completed.",
  ended: "Ended without a result.",
};

/** Whether the client of this request can follow a long-running call. */
function followsTasks({ mcpReq }: ServerContext): boolean {
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = (mcpReq.envelope ?? {}) as Record<
    string,
    ClientCapabilities
  >;
  return capabilities?.extensions?.[EXTENSION] !== undefined;
}

/** The handle that a client which follows tasks gets while there is no result yet. */
export function asTask(result: ToolResult, ctx: ServerContext): CallToolResult {
  const { is_over, stage, task } = result.structuredContent as Partial<Hired>;
  if (is_over !== false || !task || !stage || !followsTasks(ctx)) return result;
  const handle = { resultType: "task", ...about(task), status: "working", statusMessage: WORDS[stage] };
  // The SDK sends it as it is, but has no type for it.
  return handle as unknown as CallToolResult;
}

const about = (task: Task) => ({
  taskId: task.task_id,
  createdAt: task.created_at,
  lastUpdatedAt: task.updated_at,
  ttlMs: null,
  pollIntervalMs: POLL_MS,
});

/** Serves the methods of the extension. */
export function serveTasks(server: Server, caller: Caller): void {
  const serve = (method: string, answer: (task: Task) => object | Promise<object>) =>
    server.setRequestHandler(method, { params: OfTask }, async ({ taskId }, ctx) => {
      if (!followsTasks(ctx))
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: TASKS_CAPABILITY });
      const found = await findHire(caller, taskId);
      if (!("task" in found)) {
        const { code, message } = found.error;
        const isUnknown = code === "not_found" || code === "invalid_input";
        throw new ProtocolError(isUnknown ? INVALID_PARAMS : SERVER_ERROR, isUnknown ? "Unknown task." : message);
      }
      return { ...(await answer(found.task)) };
    });
  serve("tasks/get", async (task) => statusOf(await goOn(caller, task), task));
  // Nothing is ever asked for in the middle of a hire.
  serve("tasks/update", () => ({}));
  serve("tasks/cancel", async ({ task_id }) => {
    const raw = { value: { task_id } };
    await callAs(caller, { endpoint: endpointNamed("jobsCancel"), fillsPublicId: true }, { raw, idempotencyKey: null });
    return {};
  });
}

function statusOf(answer: HireAnswer, found: Task): object {
  if ("error" in answer) {
    const { message, retryable } = answer.error;
    return retryable
      ? { ...about(found), status: "working", statusMessage: message }
      : { ...about(found), status: "completed", result: resultOf(answer) };
  }
  const { stage, task } = answer;
  const shown = { ...about(task), statusMessage: WORDS[stage] };
  if (task.state === "cancelled") return { ...shown, status: "cancelled" };
  // A hire whose result was handed over stays completed, whatever the model then does with the result.
  return answer.is_over || task.changes_reason
    ? { ...shown, status: "completed", result: resultOf(answer) }
    : { ...shown, status: "working" };
}
