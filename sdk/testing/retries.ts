import assert from "node:assert/strict";
import { listening } from "./listening.ts";

// When a client may send a call again: the same for the clients in TypeScript and Python.

type Reply = { status?: number; headers?: Record<string, string>; body?: unknown } | "cut" | "silence";
/** A call of the client, named as in TypeScript. */
export type Call = { call: string; input: Record<string, unknown>; timeoutMs?: number };

/** @param more members of the error that come with its code */
export const refusal = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: {
    ok: false,
    error: { code, message: "No.", retryable: [429, 503].includes(status), final: false, ...more },
    request_id: "req_1",
  },
});
const BUSY = refusal(429, "rate_limited", {}, { "Retry-After": "2" });
const PAGE: Reply = { status: 502, body: "<h1>Bad gateway</h1>" };
const task = (state: string, provider: string | null = null): Reply => ({
  body: {
    ok: true,
    task: { task_id: "tsk_1", state, parties: { provider: provider && { public_id: provider } }, agreement: null },
  },
});
const TAKEN = task("claimed", "agt_me");

const CLAIM: Call = { call: "jobs.claim", input: { task_id: "tsk_1" } };
const CREATE: Call = { call: "jobs.create", input: { brief: "B", budget_pence: 0 } };
const SHOW: Call = { call: "jobs.show", input: { task_id: "tsk_1" } };
const RELEASE: Call = { call: "jobs.release", input: { task_id: "tsk_1" }, timeoutMs: 200 };
const PAY: Call = { call: "payments.intent", input: { contract_id: "con_1" } };
const OFFER = { skill: "s", description: "d", input: "i", output: "o", limits: "l", price_pence: 0, enabled: true };
const SAVE: Call = { call: "agents.offersSave", input: OFFER };
const SAVE_AGAIN: Call = { call: "agents.offersSave", input: { ...OFFER, offer_id: "ofr_1" } };
const ABOUT = { name: "N", description: "D", skills: [], endpoint: "https://a.example/", operator_authorized: true };
const REGISTER: Call = { call: "agents.register", input: ABOUT };

/** What the service answers before it says that the task is taken, and what the client then does. */
const RETRIES: [what: string, replies: Reply[], call: Call, outcome: string, paths: string[], slept?: number][] = [
  ["429 is waited for", [BUSY, BUSY, BUSY], CLAIM, "done", Array(4).fill("jobs/claim"), 6],
  [
    "503 is waited for",
    [refusal(503, "temporarily_unavailable", {}, { "Retry-After": "1" })],
    CLAIM,
    "done",
    ["jobs/claim", "jobs/claim"],
    1,
  ],
  [
    "a request in progress is waited for",
    [refusal(409, "idempotency_in_progress", { retryable: true }, { "Retry-After": "1" })],
    CREATE,
    "done",
    ["jobs/create", "jobs/create"],
    1,
  ],
  ["four attempts are the most", [BUSY, BUSY, BUSY, BUSY], CLAIM, "RateLimited", Array(4).fill("jobs/claim")],
  [
    "a wait of more than two minutes is the caller's",
    [refusal(503, "temporarily_unavailable", {}, { "Retry-After": "121" })],
    CLAIM,
    "TemporarilyUnavailable",
    ["jobs/claim"],
  ],
  ...[403, 429, 503].map((status): (typeof RETRIES)[number] => [
    `a final refusal with ${status} is not repeated`,
    [refusal(status, "gate_refused", { final: true })],
    CLAIM,
    "GateRefused",
    ["jobs/claim"],
  ]),
  ["another error is not repeated", [refusal(500, "internal")], CLAIM, "InternalError", ["jobs/claim"]],
  ["a lost call with a request ID is repeated", ["cut", PAGE], CREATE, "done", Array(3).fill("jobs/create")],
  ["a lost payment is repeated under its key", ["cut"], PAY, "done", Array(2).fill("payments/intent")],
  ["a lost read is repeated", [PAGE, "cut"], SHOW, "done", Array(3).fill("jobs/show")],
  ["a lost step that was taken is not repeated", ["cut"], CLAIM, "done", ["jobs/claim", "jobs/show"]],
  [
    "a lost step that was not taken is repeated",
    ["cut", task("open")],
    CLAIM,
    "done",
    ["jobs/claim", "jobs/show", "jobs/claim"],
  ],
  [
    "a step that a lost attempt took is no conflict",
    ["cut", task("open"), refusal(409, "state_conflict"), TAKEN],
    CLAIM,
    "done",
    ["jobs/claim", "jobs/show", "jobs/claim", "jobs/show"],
  ],
  [
    "another provider's claim is a conflict",
    ["cut", task("open"), refusal(409, "state_conflict"), task("claimed", "agt_2")],
    CLAIM,
    "StateConflict",
    ["jobs/claim", "jobs/show", "jobs/claim", "jobs/show"],
  ],
  [
    "a conflict without a lost attempt is one",
    [refusal(409, "state_conflict")],
    CLAIM,
    "StateConflict",
    ["jobs/claim"],
  ],
  ["a lost write with a further effect is not repeated", ["cut"], RELEASE, "NetworkError", ["jobs/release"]],
  ["neither is a registration", ["cut"], REGISTER, "NetworkError", ["agents/register"]],
  ["nor a new offer", ["cut"], SAVE, "NetworkError", ["agents/offers"]],
  ["an offer that is replaced is", ["cut"], SAVE_AGAIN, "done", ["agents/offers", "agents/offers"]],
  ["a time-out is lost", ["silence"], RELEASE, "TimeoutError", ["jobs/release"]],
  [
    "a body that is cut short is lost",
    [{ headers: { "Content-Length": "999" }, body: '{"ok":true}' }],
    RELEASE,
    "NetworkError|TimeoutError",
    ["jobs/release"],
  ],
  [
    "a redirect is not followed",
    [{ status: 307, headers: { Location: "/api/v1/elsewhere" } }],
    RELEASE,
    "NetworkError|BadAnswer",
    ["jobs/release"],
  ],
  ["a page with status 200 is no answer", [{ body: "<h1>Welcome</h1>" }], CLAIM, "BadAnswer", ["jobs/claim"]],
];

/** A service that answers from a list, then with a task that the client has claimed. */
async function scripted(replies: Reply[]) {
  const asked: { path: string; sent: string }[] = [];
  const { url, close } = await listening(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const path = (request.url ?? "").replace("/api/v1/", "").split(".php", 1)[0] ?? "";
    asked.push({ path, sent: `${text} ${request.headers["idempotency-key"]}` });
    const reply = replies.shift() ?? TAKEN;
    if (reply === "cut") return void request.socket.destroy();
    if (reply === "silence") return;
    const { status = 200, headers = {}, body } = reply;
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return { url, asked, close };
}

/** @param run makes the call with a client of the service at `url`. It gives "done" or the name of the error, and the seconds slept */
export async function checkRetries(
  run: (url: string, call: Call) => Promise<{ outcome: string; slept: number }>,
): Promise<void> {
  for (const [what, replies, call, outcome, paths, slept = 0] of RETRIES) {
    const { url, asked, close } = await scripted([...replies]);
    const found = await run(url, call);
    close();
    assert.deepEqual(
      asked.map(({ path }) => path),
      paths,
      `${what}: ${found.outcome}`,
    );
    assert.match(found.outcome, new RegExp(`^(?:${outcome})$`), what);
    assert.ok(found.slept >= slept, `${what}: ${found.slept}`);
    for (const path of new Set(paths))
      assert.equal(new Set(asked.flatMap((each) => (each.path === path ? each.sent : []))).size, 1, what);
  }
}
