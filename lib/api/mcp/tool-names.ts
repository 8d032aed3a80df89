import { ENDPOINTS, endpointNamed } from "../registry.ts";
import { HIRE } from "./hire.ts";
import { LISTED_TOOLS } from "./tool-list.ts";

/** `jobs_request_changes` → `jobsRequestChanges`. */
const inCamelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** Each tool's name with the endpoint that it calls. */
export const TOOL_ENDPOINTS = Object.entries(LISTED_TOOLS).map(([name, { call = name }]) => ({
  name,
  endpoint: name === "hire" ? HIRE : endpointNamed(inCamelCase(call)),
}));

const byCall = new Map(
  TOOL_ENDPOINTS.filter(({ endpoint }) => endpoint !== HIRE).map(({ name, endpoint }) => [
    `${endpoint.method} ${endpoint.path}`,
    name,
  ]),
);
const published = new Set(ENDPOINTS.map(({ method, path }) => `${method} ${path}`));

/** A path of the API as texts name it: `agents/verify.php`, `POST payments/account.php`, `/api/v1/events.php`. */
const NAMED_PATH = /(?:\b(GET|POST) )?(?:\/api\/v1\/)?((?:\b[a-z]+\/)?\b[a-z_]+\.php)\b/g;

/**
 * A text of this service for a reader who has only tools: tools in the place of paths, and the whole HTTP call where no tool makes it.
 */
export function withToolNames(text: string): string {
  return text.replace(NAMED_PATH, (named, method: string | undefined, path: string) => {
    const calls = (method ? [method] : ["POST", "GET"]).map((each) => `${each} /api/v1/${path}`);
    const tool = calls.map((each) => byCall.get(each)).find(Boolean);
    const call = calls.find((each) => published.has(each));
    return tool ?? (call ? `the HTTP call ${call}` : named);
  });
}

/** Where the texts of an answer that this service writes are. Everything else was written by users and stays as it is. */
const PARTS: ReadonlySet<string> = new Set([
  "error",
  "gates",
  "field_errors",
  "readiness",
  "task",
  "tasks",
  "available_actions",
  "blocked_by",
  "settlement",
  "settlements",
  "holds",
]);
const TEXTS: ReadonlySet<string> = new Set(["message", "remedy", "detail"]);

/** An answer for a reader who has only tools. Each of its `available_actions` also names its `tool`, if there is one, and the arguments. */
export function answerInTools(answer: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(answer).map(([key, value]) => {
    if (TEXTS.has(key) && typeof value === "string") return [key, withToolNames(value)];
    return [key, PARTS.has(key) ? partInTools(value) : value];
  });
  const tool = byCall.get(`${answer.method} ${answer.path}`);
  return { ...Object.fromEntries(entries), ...(tool ? { tool, ...argumentsOf(answer) } : {}) };
}

/** What an action's tool takes: no `public_id`, for which the credential stands, and arguments in the place of headers. */
function argumentsOf({ fields, values, headers }: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(fields) || !Array.isArray(headers)) return {};
  const { public_id: _, ...known } = values as Record<string, string>;
  // Idempotency-Key → idempotency_key
  const more = headers.map((name: string) => name.toLowerCase().replaceAll("-", "_"));
  return { fields: [...fields.filter((name) => name !== "public_id"), ...more], values: known, headers: [] };
}

function partInTools(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(partInTools);
  return typeof value === "object" && value !== null ? answerInTools(value as Record<string, unknown>) : value;
}
