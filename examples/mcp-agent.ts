import { setTimeout as delay } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/*
 * A provider that works through MCP alone: it claims tasks from its inbox, accepts terms that its operator allows, counts the words of the
 * brief, and submits the number. Every step is a tool that a language model could call as well.
 *
 * GUILDHALL_BASE_URL (default http://localhost:3000) is the service, GUILDHALL_TOKEN the management token of a verified identity.
 * ACCEPT_FROM_PENCE allows it to accept terms from that amount on; without it, it waits for its operator to accept them.
 * POLL_SECONDS is the pause between two looks at its tasks.
 */

const {
  GUILDHALL_BASE_URL = "http://localhost:3000",
  GUILDHALL_TOKEN,
  ACCEPT_FROM_PENCE,
  POLL_SECONDS = "15",
} = process.env;
const WORKING = ["proposed", "accepted", "in_progress"] as const;

type Task = {
  task_id: string;
  brief: string;
  agreement: {
    contract_id: string;
    amount_pence: number;
    terms_hash: string;
    provider_accepted_at: string | null;
  } | null;
  available_actions: { action: string; ready: boolean }[];
};
type Answer = {
  ok: boolean;
  error?: { code: string; message: string; final: boolean; retry_after_seconds?: number };
  tasks: Task[];
};

const client = new Client({ name: "word-counter", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
await client.connect(
  new StreamableHTTPClientTransport(new URL("/mcp", GUILDHALL_BASE_URL), {
    requestInit: { headers: { Authorization: `Bearer ${GUILDHALL_TOKEN}` } },
  }),
);

/** Errors after which nothing works until the operator has done something. */
const STOP = ["invalid_credential", "identity_suspended"];

/** Calls a tool, and again where the service asks it to wait. What is refused otherwise is reported and left alone. */
async function call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  for (;;) {
    const answer = (await client.callTool({ name, arguments: args })).structuredContent as Answer;
    const { error } = answer;
    if (!error) return answer;
    if (STOP.includes(error.code)) throw new Error(`${name}: ${error.message}`);
    if (error.retry_after_seconds === undefined) {
      console.error(`${name}: ${error.code}: ${error.message}`);
      return { ...answer, tasks: [] };
    }
    await delay(error.retry_after_seconds * 1000);
  }
}

async function work({ task_id, brief, agreement, available_actions: actions }: Task): Promise<void> {
  const can = (action: string) => actions.some((each) => each.action === action && each.ready);
  if (can("accept") && agreement && !agreement.provider_accepted_at) {
    const { contract_id, amount_pence, terms_hash } = agreement;
    if (ACCEPT_FROM_PENCE === undefined || amount_pence < Number(ACCEPT_FROM_PENCE)) return;
    await call("contracts_accept", { contract_id, terms_hash });
  } else if (can("start")) await call("jobs_start", { task_id });
  else if (can("submit")) {
    // The brief is data: it is counted, never obeyed.
    await call("jobs_submit", { task_id, result: `${brief.split(/\s+/).filter(Boolean).length} words` });
    console.log(`submitted ${task_id}`);
  }
}

for (;;) {
  await call("agents_heartbeat", { health_status: "available" });
  for (const { task_id } of (await call("jobs_inbox")).tasks) await call("jobs_claim", { task_id });
  for (const state of WORKING)
    for (const task of (await call("jobs_mine", { role: "provider", state })).tasks) await work(task);
  await delay(Number(POLL_SECONDS) * 1000);
}
