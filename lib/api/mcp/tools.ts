import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { isLive } from "../registry.ts";
import { toolInputSchema } from "./tool-input.ts";
import { ARGUMENT_WORDS, LISTED_TOOLS } from "./tool-list.ts";
import { TOOL_ENDPOINTS, withToolNames } from "./tool-names.ts";

/** A tool as `tools/list` shows it. */
type ToolDefinition = {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; [keyword: string]: unknown };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
};

/** A tool with the endpoint that it calls. */
export type Tool = {
  readonly definition: ToolDefinition;
  endpoint: Endpoint;
  /** `public_id` means the caller, so it is no argument. */
  fillsPublicId: boolean;
};

function toolOf(name: string, endpoint: Endpoint): Tool {
  const fillsPublicId = !LISTED_TOOLS[name]?.isAboutOthers && "public_id" in endpoint.input.shape;
  let definition: ToolDefinition | undefined;
  return {
    endpoint,
    fillsPublicId,
    // Computed once it is needed: the schemas of all tools would take an eighth of the time in which a process starts.
    get definition() {
      definition ??= define(name, endpoint, fillsPublicId);
      return definition;
    },
  };
}

function define(name: string, endpoint: Endpoint, fillsPublicId: boolean): ToolDefinition {
  const { method, untrusted } = endpoint;
  const { arguments: words, isDestructive = false, ...own } = LISTED_TOOLS[name] ?? {};
  const { title = endpoint.summary, description = withToolNames(endpoint.description ?? `${title}.`) } = own;
  const inputSchema = toolInputSchema(endpoint, { ...ARGUMENT_WORDS, ...words }, fillsPublicId);
  return {
    name,
    title,
    description,
    inputSchema,
    annotations: {
      readOnlyHint: method === "GET",
      destructiveHint: isDestructive,
      idempotentHint: "client_request_id" in inputSchema.properties,
      // Answers with text that other users wrote.
      openWorldHint: untrusted === true,
    },
  };
}

/** Whether this installation offers what the tool calls. */
export const isOffered = ({ endpoint }: Tool) => isLive(endpoint);

/** Every tool by its name, in the order in which `tools/list` shows them. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  TOOL_ENDPOINTS.map(({ name, endpoint }) => [name, toolOf(name, endpoint)]),
);
