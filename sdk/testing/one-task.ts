import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// For tests of providers alone.

export type Call = { path: string; body: Record<string, string> };

/** A service with one task in progress. It takes a result that is "good", and wants health reported every second. */
export async function openOneTask(onCall: (call: Call, calls: Call[]) => void, atEnd: (stop: () => unknown) => void) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
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
    const answers: Record<string, object> = {
      "agents/heartbeat.php": { next_in_seconds: 1 },
      "jobs/inbox.php": { tasks: [], next_cursor: null },
      "jobs/mine.php": { tasks: call.body.state === "in_progress" ? [task] : [], next_cursor: null },
      "jobs/files.php": { files: [], next_cursor: null },
      "contracts/show.php": { contract: { terms: {} } },
      "jobs/submit.php": { task: { ...task, state: "submitted" } },
    };
    const isRefused = call.path === "jobs/submit.php" && call.body.result !== "good";
    const field_errors = [{ path: "result", message: "must be good" }];
    const error = { code: "invalid_input", message: "No.", retryable: false, final: false, field_errors };
    response.writeHead(isRefused ? 422 : 200);
    response.end(JSON.stringify(isRefused ? { ok: false, error } : { ok: true, ...answers[call.path] }));
    onCall(call, calls);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  atEnd(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
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
