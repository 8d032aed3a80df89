import type { FieldError } from "#lib/kernel/errors.ts";
import { didYouMean } from "#lib/kernel/mistakes.ts";
import { pathSegment } from "#lib/kernel/text.ts";
import type { FileWire } from "#lib/tasks/files/schema.ts";
import { KEY_MEANING } from "../handle.ts";
import { type Caller, callAs, KEY_ARGUMENTS } from "./call.ts";
import { type FileContent, fileContents } from "./file-contents.ts";
import { hireFor, hireProblems } from "./hire.ts";
import { answerInTools } from "./tool-names.ts";
import { isOffered, TOOLS, type Tool } from "./tools.ts";

/** The result of a call in the form of the protocol. */
export type ToolResult = {
  content: [{ type: "text"; text: string }, ...FileContent[]];
  structuredContent: Record<string, unknown>;
  isError?: true;
};

/**
 * Calls a tool as this caller. A refusal is a result with `isError`, never an error of the protocol.
 * @returns undefined if there is no such tool
 */
export async function callTool(
  name: string,
  args: Record<string, unknown>,
  caller: Caller,
): Promise<ToolResult | undefined> {
  const tool = TOOLS.get(name);
  if (!tool || !isOffered(tool)) return undefined;
  const given = readArguments(tool, args);
  const called = name === "hire" ? { ...tool, endpoint: hireFor(caller) } : tool;
  if (name === "hire") given.refused.push(...hireProblems(args));
  const { idempotencyKey, value, refused } = given;
  const body = await callAs(caller, called, { idempotencyKey, raw: { value, refused } });
  const files = name === "jobs_files" && body.ok === true ? await fileContents(body.files as FileWire[]) : [];
  return resultOf(body, files);
}

/** An answer of the API as the result of a tool. */
export function resultOf(answer: Record<string, unknown>, files: FileContent[] = []): ToolResult {
  const body = answerInTools(answer);
  return {
    content: [{ type: "text", text: JSON.stringify(body) }, ...files],
    structuredContent: body,
    ...(body.ok === true ? {} : { isError: true }),
  };
}

/** How many arguments that a tool does not have are named in a refusal. */
export const NAMED_UNKNOWN = 10;

/**
 * What the endpoint checks, and what it takes for the header `Idempotency-Key`. Arguments that the tool does not list are refused,
 * even where its endpoint would accept them, together with everything that the endpoint finds wrong with the others.
 */
function readArguments(
  { endpoint, definition }: Tool,
  args: Record<string, unknown>,
): { idempotencyKey: string | null; value: Record<string, unknown>; refused: FieldError[] } {
  const names = Object.keys(definition.inputSchema.properties as object);
  const refused: FieldError[] = Object.keys(args)
    .filter((name) => !names.includes(name))
    .slice(0, NAMED_UNKNOWN)
    .map((name) => ({
      path: pathSegment(name),
      message: `is not an argument of this tool${didYouMean(name, names)}`,
    }));
  const known = Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
  const { selector } = endpoint;
  const selected = selector ? { [selector.field]: selector.value } : {};
  if (!endpoint.idempotencyKey) return { idempotencyKey: null, value: { ...known, ...selected }, refused };
  const [first, second] = KEY_ARGUMENTS;
  const { [first]: key, [second]: sameKey, ...value } = known;
  if (key !== undefined && sameKey !== undefined && key !== sameKey)
    refused.push({ path: second, message: `must be the same as ${first}, if both are sent` });
  const sent = key ?? sameKey;
  if (sent === undefined) refused.push({ path: first, message: `is required: ${KEY_MEANING}` });
  else if (typeof sent !== "string")
    refused.push({ path: key === undefined ? second : first, message: "must be a string" });
  const idempotencyKey = typeof sent === "string" ? sent : null;
  return { idempotencyKey, value: { ...value, ...selected }, refused };
}
