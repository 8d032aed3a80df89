import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { callId } from "#lib/kernel/operation-id.ts";
import recorded from "./recorded.json" with { type: "json" };

/** One call as it was made: the fields that were sent, and what was answered. Secrets and times are made up. */
export type Example = { request: Record<string, unknown>; status: number; answer: Record<string, unknown> };

/** Stands for the installation's own address in what is recorded. */
const BASE_URL = "{BASE_URL}";

/** Under which name the example of an answer is recorded: the operation's, or with the status where that is not the usual one. */
export function exampleName(endpoint: Endpoint, status: number): string {
  return status === endpoint.status ? callId(endpoint) : `${callId(endpoint)} ${status}`;
}

/** The example of an endpoint; undefined if none has been recorded, which a test refuses. */
export function exampleOf(endpoint: Endpoint, status: number = endpoint.status): Example | undefined {
  const example = (recorded as Record<string, Example>)[exampleName(endpoint, status)];
  return example && (filled(example) as Example);
}

function filled(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(BASE_URL, env().baseUrl);
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, filled(entry)]));
}
