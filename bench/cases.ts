import type { DataSet } from "./data.ts";
import type { Request } from "./load.ts";

/** One endpoint, as the service and as the bare server are asked for it. */
export type Case = {
  name: string;
  kind: "read" | "write" | "page";
  service(data: DataSet, index: number): Request;
  bare(data: DataSet, index: number): Request;
};

const JSON_HEADERS = { "content-type": "application/json" };

function agent(data: DataSet, index: number) {
  const found = data.providers[index % data.providers.length];
  if (!found) throw new Error("The data set has no agents.");
  return found;
}

function bearer(data: DataSet, index: number) {
  return { authorization: `Bearer ${agent(data, index).token}` };
}

const taskId = (data: DataSet, index: number) => data.listedTaskIds[index % data.listedTaskIds.length];

const heartbeat = (data: DataSet, index: number) =>
  JSON.stringify({ public_id: agent(data, index).publicId, health_status: "available" });

const BRIEF =
  "Compare the two tender documents and list every difference. There are 42 items, collected in Whitby. Give reasons for each decision in one sentence, so that a second reader can follow them. Quality goes before speed: a partial result that is right is worth more than a full one that is not. Deliver one CSV file in UTF-8 with a header line.";

/** One call of an MCP tool. */
function callOfTool(name: string, args: object): Request {
  const version = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return {
    method: "POST",
    path: "/mcp",
    headers: {
      ...JSON_HEADERS,
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { _meta, name, arguments: args } }),
  };
}

/** The same calls over HTTP (`bare`) and over MCP (`service`). */
export const MCP_CASES: Case[] = [
  {
    name: "task show",
    kind: "read",
    bare: (data, index) => ({ path: `/api/v1/jobs/show.php?task_id=${taskId(data, index)}` }),
    service: (data, index) => callOfTool("jobs_show", { task_id: taskId(data, index) }),
  },
  {
    name: "task list",
    kind: "read",
    bare: () => ({ path: "/api/v1/jobs/list.php" }),
    service: () => callOfTool("jobs_list", {}),
  },
  {
    name: "inbox poll",
    kind: "read",
    bare: (data, index) => ({
      path: `/api/v1/jobs/inbox.php?public_id=${agent(data, index).publicId}`,
      headers: bearer(data, index),
    }),
    service: (data, index) => withHeaders(callOfTool("jobs_inbox", {}), bearer(data, index)),
  },
  {
    name: "heartbeat",
    kind: "write",
    bare: (data, index) => ({
      method: "POST",
      path: "/api/v1/agents/heartbeat.php",
      headers: { ...JSON_HEADERS, ...bearer(data, index) },
      body: heartbeat(data, index),
    }),
    service: (data, index) =>
      withHeaders(callOfTool("agents_heartbeat", { health_status: "available" }), bearer(data, index)),
  },
];

function withHeaders(request: Request, headers: Record<string, string>): Request {
  return { ...request, headers: { ...request.headers, ...headers } };
}

let made = 0;

/** A new task in each request. */
function create(data: DataSet, index: number): string {
  made += 1;
  return JSON.stringify({
    public_id: agent(data, index).publicId,
    title: "List the differences between two tender documents",
    brief: BRIEF,
    skill: "document-comparison",
    budget_pence: 1_250,
    client_request_id: `bench-${process.pid}-${Date.now()}-${made}`,
  });
}

/** What agents do with each other's work. */
export const WORK_CASES: Case[] = [
  {
    name: "directory",
    kind: "read",
    service: () => ({ path: "/api/v1/agents/directory.php" }),
    bare: () => ({ path: "/directory" }),
  },
  {
    name: "task list",
    kind: "read",
    service: () => ({ path: "/api/v1/jobs/list.php" }),
    bare: () => ({ path: "/list" }),
  },
  {
    name: "task show",
    kind: "read",
    service: (data, index) => ({ path: `/api/v1/jobs/show.php?task_id=${taskId(data, index)}` }),
    bare: (data, index) => ({ path: `/show?id=${taskId(data, index)}` }),
  },
  {
    name: "task show over MCP",
    kind: "read",
    service: (data, index) => callOfTool("jobs_show", { task_id: taskId(data, index) }),
    bare: (data, index) => ({ path: `/show?id=${taskId(data, index)}` }),
  },
  {
    name: "inbox poll",
    kind: "read",
    service: (data, index) => ({
      path: `/api/v1/jobs/inbox.php?public_id=${agent(data, index).publicId}`,
      headers: bearer(data, index),
    }),
    bare: (data, index) => ({ path: `/inbox?id=${agent(data, index).publicId}` }),
  },
  {
    name: "heartbeat",
    kind: "write",
    service: (data, index) => ({
      method: "POST",
      path: "/api/v1/agents/heartbeat.php",
      headers: { ...JSON_HEADERS, ...bearer(data, index) },
      body: heartbeat(data, index),
    }),
    bare: (data, index) => ({
      method: "POST",
      path: "/heartbeat",
      headers: JSON_HEADERS,
      body: heartbeat(data, index),
    }),
  },
  {
    name: "create task",
    kind: "write",
    service: (data, index) => ({
      method: "POST",
      path: "/api/v1/jobs/create.php",
      headers: { ...JSON_HEADERS, ...bearer(data, index) },
      body: () => create(data, index),
    }),
    bare: (data, index) => ({
      method: "POST",
      path: "/create",
      headers: JSON_HEADERS,
      body: () => create(data, index),
    }),
  },
];
