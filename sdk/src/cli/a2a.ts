import { createHash } from "node:crypto";
import { ForwardError, failureOf, post, type Target } from "./forward.ts";
import { type Work, workOf } from "./run-work.ts";
import { wait } from "./wait.ts";

/*
 * The client's side of A2A over JSON-RPC: an order is sent to the operator's own agent as a message, and the agent's task is polled until
 * it has ended. Revision 0.3 first (`message/send`), then 1.0 (`SendMessage`) where that is not known.
 */

type Version = "0.3" | "1.0";

const METHODS = {
  "0.3": { send: "message/send", get: "tasks/get", cancel: "tasks/cancel" },
  "1.0": { send: "SendMessage", get: "GetTask", cancel: "CancelTask" },
} as const;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** For one poll. */
const POLL_MS = 30_000;
/** More of what the agent says about itself is not shown. */
const MOST_SHOWN = 500;

/** JSON-RPC: the method does not exist; A2A: the task is unknown, the version is not supported. */
const [NO_METHOD, NO_TASK, NO_VERSION] = [-32601, -32001, -32009];

/** The agent's task for an order, kept so that a restart goes on with it. */
export type AgentTask = { id: string; version: Version };

type Part = { text?: string; data?: unknown; url?: string; file?: { uri?: string } };
type Message = { parts?: Part[] };
type Task = { id?: string; status?: { state?: string; message?: Message }; artifacts?: { parts?: Part[] }[] };

/** An error that the agent answered with. */
class RpcError extends ForwardError {
  readonly code: number;
  constructor(code: number, message: string) {
    super(`your agent answered with the error ${code}: ${shown(message)}`);
    this.code = code;
  }
}

type Order = { task_id: string; brief: string; changes_reason?: string };
type Kept = { known: AgentTask | undefined; keep(task: AgentTask): void };

/** Has the operator's own A2A agent do an order. @param kept where the agent's task is stored over restarts */
export function askAgent(target: Target, order: Order, signal: AbortSignal, kept: Kept): Promise<Work> {
  return failureOf(signal, async () => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(target.timeoutMs)]);
    const [task, version]: [Task & Message, Version] =
      (await resume(target, kept.known, deadline)) ?? (await send(target, order, deadline));
    if (task.parts) return workOf(textOf(task.parts), "it answered with an empty message");
    const id = task.id;
    if (typeof id !== "string" || id === "")
      throw new ForwardError("your agent answered with neither a message nor a task");
    kept.keep({ id, version });
    return finish(target, { ...task, id }, version, deadline, signal);
  });
}

async function resume(
  target: Target,
  known: AgentTask | undefined,
  deadline: AbortSignal,
): Promise<[Task, Version] | undefined> {
  if (!known) return undefined;
  try {
    const { id, version } = known;
    return [(await call(target, version, "get", { id }, deadline)) as Task, version];
  } catch (error) {
    // It no longer knows of the task, for example because it was restarted.
    if (error instanceof RpcError && error.code === NO_TASK) return undefined;
    throw error;
  }
}

async function send(target: Target, order: Order, deadline: AbortSignal): Promise<[Task & Message, Version]> {
  const { task_id, brief, changes_reason: reason } = order;
  const text = reason === undefined ? brief : `${brief}\n\nChanges were requested: ${reason}`;
  // The same for the same round of work, by which an agent can recognise a repetition.
  const messageId = `${task_id}-${createHash("sha256")
    .update(reason ?? "")
    .digest("hex")
    .slice(0, 16)}`;
  const acceptedOutputModes = ["text/plain", "application/json"];
  try {
    const parts = [
      { kind: "text", text },
      { kind: "data", data: order },
    ];
    const message = { kind: "message", role: "user", messageId, parts };
    const configuration = { acceptedOutputModes, blocking: false };
    return [(await call(target, "0.3", "send", { message, configuration }, deadline)) as Task, "0.3"];
  } catch (error) {
    if (!(error instanceof RpcError) || ![NO_METHOD, NO_VERSION].includes(error.code)) throw error;
    const message = { role: "ROLE_USER", messageId, parts: [{ text }, { data: order }] };
    const configuration = { acceptedOutputModes, returnImmediately: true };
    const answer = await call(target, "1.0", "send", { message, configuration }, deadline);
    const { task, message: reply } = answer as { task?: Task; message?: Message };
    return [task ?? reply ?? {}, "1.0"];
  }
}

/** Polls the task until it has ended, and cancels it when the time is over. */
async function finish(
  target: Target,
  first: Task & { id: string },
  version: Version,
  deadline: AbortSignal,
  signal: AbortSignal,
): Promise<Work> {
  const { id } = first;
  let task: Task = first;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const work = resultOf(task);
    if (work) return work;
    try {
      await wait(pause, deadline);
      const patience = AbortSignal.any([deadline, AbortSignal.timeout(POLL_MS)]);
      task = (await call(target, version, "get", { id }, patience)) as Task;
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) {
        await call(target, version, "cancel", { id }, AbortSignal.timeout(5_000)).catch(() => undefined);
        throw new ForwardError(
          `your agent did not finish within ${target.timeoutMs / 1_000} s, so its task was cancelled: raise --timeout if it needs longer`,
        );
      }
      // An agent that is away for a moment still has its task. One that answers with an error says why.
      if (error instanceof RpcError || !(error instanceof ForwardError)) throw error;
    }
  }
}

/** What a task has come to; undefined while it goes on. */
function resultOf({ status, artifacts = [] }: Task): Work | undefined {
  const state = String(status?.state ?? "")
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
  const said = textOf(status?.message?.parts ?? []);
  const why = said ? `: ${shown(said)}` : "";
  switch (state) {
    case "submitted":
    case "working":
      return undefined;
    case "completed": {
      const result = textOf(artifacts.flatMap(({ parts = [] }) => parts));
      return workOf(result || said, "it completed its task without an artifact or a message");
    }
    case "input-required":
      throw new ForwardError(
        `your agent asks for input, which nobody gives here: let it work from the order alone${why}`,
      );
    case "auth-required":
      throw new ForwardError(`your agent asks for a sign-in, which nobody does here: give it its own access${why}`);
    case "failed":
    case "canceled":
    case "rejected":
      throw new ForwardError(`your agent's task ended as ${state}${why}`);
    default:
      throw new ForwardError(`your agent's task has the unknown state ${JSON.stringify(shown(state))}`);
  }
}

/** The parts as one text. @throws ForwardError for a file, which a result cannot hold */
function textOf(parts: readonly Part[]): string {
  return parts
    .map(({ text, data, url, file }) => {
      if (typeof text === "string") return text;
      if (data !== undefined) return JSON.stringify(data);
      const address = url ?? file?.uri;
      if (typeof address === "string") return address;
      throw new ForwardError(
        "your agent answered with a file: let it answer with text or data, or with the file's address",
      );
    })
    .join("\n");
}

async function call(
  target: Target,
  version: Version,
  what: keyof (typeof METHODS)[Version],
  params: object,
  signal: AbortSignal,
): Promise<object> {
  const request = { jsonrpc: "2.0", id: 1, method: METHODS[version][what], params };
  const text = await post(target, request, signal, version === "1.0" ? { "A2A-Version": version } : {});
  let answer: { result?: unknown; error?: { code?: unknown; message?: unknown } };
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    throw new ForwardError("your agent does not answer with JSON: give the address in the url field of its agent card");
  }
  const { result, error } = answer ?? {};
  if (error) throw new RpcError(Number(error.code), String(error.message));
  if (typeof result === "object" && result !== null) return result;
  throw new ForwardError("your agent does not speak JSON-RPC: give the address in the url field of its agent card");
}

const shown = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ").slice(0, MOST_SHOWN);
