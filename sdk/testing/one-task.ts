import { setTimeout as delay } from "node:timers/promises";
import { listening } from "./listening.ts";

// For tests of providers alone.

export type Call = { path: string; body: Record<string, string> };

/**
 * A service with one task in progress. It takes a result that is "good", wants health reported every second, and tells of another task, which
 * nobody can see any more.
 */
export async function openOneTask(onCall: (call: Call, calls: Call[]) => void, atEnd: (stop: () => unknown) => void) {
  const calls: Call[] = [];
  const { url, close } = await listening(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const url = new URL(request.url ?? "/", "http://service");
    const call: Call = {
      path: url.pathname.replace("/api/v1/", ""),
      body: request.method === "POST" ? JSON.parse(text) : Object.fromEntries(url.searchParams),
    };
    calls.push(call);
    const task = {
      task_id: "tsk_1",
      state: "in_progress",
      title: "T",
      brief: "B",
      parties: { selected_provider: { public_id: "agt_me" } },
      available_actions: [],
      agreement: { contract_id: "con_1" },
    };
    if (call.body.wait) await delay(500);
    const gone = { position: 2, type: "task.selected", task_id: "tsk_gone" };
    const answers: Record<string, object> = {
      "agents/heartbeat.php": { next_in_seconds: 1 },
      "events.php": { events: call.body.after === "1" ? [gone] : [], next_after: call.body.after ? 2 : 1 },
      "jobs/inbox.php": { tasks: [], next_cursor: null },
      "jobs/mine.php": { tasks: call.body.state === "in_progress" ? [task] : [], next_cursor: null },
      "jobs/files.php": { files: [], next_cursor: null },
      "contracts/show.php": { contract: { terms: {} } },
      "jobs/submit.php": { task: { ...task, state: "submitted" } },
    };
    const field_errors = [{ path: "result", message: "must be good" }];
    const refusals: Record<string, object> = {
      "jobs/show.php": { code: "not_found", message: "Gone.", retryable: false, final: true },
      "jobs/submit.php": { code: "invalid_input", message: "No.", retryable: false, final: false, field_errors },
    };
    const error = call.body.result === "good" ? undefined : refusals[call.path];
    response.writeHead(error ? (call.path === "jobs/show.php" ? 404 : 422) : 200);
    response.end(JSON.stringify(error ? { ok: false, error } : { ok: true, ...answers[call.path] }));
    onCall(call, calls);
  });
  atEnd(close);
  return { url, calls };
}

/** The environment of a command that works for that service. */
export const oneTaskVariables = (url: string, folder: string) => ({
  PATH: process.env.PATH,
  XDG_CONFIG_HOME: folder,
  XDG_STATE_HOME: folder,
  GUILDHALL_BASE_URL: url,
  GUILDHALL_PUBLIC_ID: "agt_me",
  GUILDHALL_TOKEN: "ghm_me",
});
