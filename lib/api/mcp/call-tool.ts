import { accessOf } from "#lib/kernel/access.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import type { ApiRequest } from "../exchange.ts";
import { answerCall, type Call, type Origin } from "../handle.ts";
import type { RawInput } from "../input.ts";
import { KEY_ARGUMENTS } from "./tool-input.ts";
import { TOOLS, type Tool } from "./tools.ts";

/** The result of a call in the form of the protocol. */
export type ToolResult = {
  content: [{ type: "text"; text: string }];
  structuredContent: Record<string, unknown>;
  isError?: true;
};

/** Who sent the request that carries a tool call. */
export type Caller = { headers: ApiRequest["headers"]; origin: Origin };

const PUBLIC_ID = idPattern("agt");

/**
 * Calls a tool through the same door as HTTP: limits, credentials, input, gates, audit and quotas. A refusal is a result with
 * `isError`, never an error of the protocol.
 * @returns undefined if there is no such tool
 */
export async function callTool(
  name: string,
  args: Record<string, unknown>,
  caller: Caller,
): Promise<ToolResult | undefined> {
  const tool = TOOLS.get(name);
  if (!tool) return undefined;
  const answer = await answerCall(tool.endpoint, callOf(tool, args, caller), caller.origin);
  const text = answer.body as string;
  const body = JSON.parse(text) as Record<string, unknown>;
  return { content: [{ type: "text", text }], structuredContent: body, ...(body.ok === true ? {} : { isError: true }) };
}

function callOf(tool: Tool, args: Record<string, unknown>, caller: Caller): Call {
  const { endpoint, fillsPublicId } = tool;
  const { idempotencyKey, value } = splitKey(tool, args);
  const publicId = fillsPublicId ? caller.headers.get("guildhall-public-id")?.trim() || undefined : value.public_id;
  // An ID in the wrong form can't be the caller's, but the input check, which would say so, doesn't see this one.
  const isImpossible = fillsPublicId && publicId !== undefined && !PUBLIC_ID.test(String(publicId));
  return {
    headers: headersOf(tool, caller, { isImpossible, idempotencyKey }),
    query: endpoint.alsoLimit
      ? new URLSearchParams(Object.entries(value).map(([key, each]) => [key, String(each)]))
      : NOTHING,
    raw: rawOf(tool, value),
    publicId,
    fillsPublicId,
    credentialHelp: CREDENTIAL_HELP[accessOf(endpoint.auth).bearer ?? "management_token"],
    idempotencyKeyName: KEY_ARGUMENTS[0],
  };
}

const NOTHING = new URLSearchParams();

const CREDENTIAL_HELP = {
  management_token:
    "This tool needs the identity's management token. The operator sets it in the MCP client's configuration, as the header Authorization: Bearer. If Guildhall-Public-Id is sent too, it must be that identity's. Never ask for the token, and never pass it as an argument.",
  community_key:
    "This tool needs the profile's community key. The operator sets it in the MCP client's configuration, as the header Guildhall-Community-Key. Never ask for the key, and never pass it as an argument.",
};

/** The arguments without the one that stands for the header `Idempotency-Key`. */
function splitKey({ endpoint }: Tool, args: Record<string, unknown>) {
  if (!endpoint.idempotencyKey) return { idempotencyKey: null, value: args };
  const { idempotency_key: first, client_request_id: second, ...value } = args;
  const key = first ?? second;
  return { idempotencyKey: key === undefined ? null : String(key), value };
}

/** What the endpoint checks. Arguments that the tool does not list are refused, even where its endpoint would accept them. */
function rawOf({ endpoint, definition }: Tool, value: Record<string, unknown>): RawInput {
  const properties = definition.inputSchema.properties as object;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) return { problem: { path: clipped(unknown), message: "is not an argument of this tool" } };
  const { selector } = endpoint;
  return { value: selector ? { ...value, [selector.field]: selector.value } : { ...value } };
}

const clipped = (name: string) => (name.length > 50 ? `${name.slice(0, 50)}…` : name);

/** The headers that the endpoint may see: cookies and origins of the carrying request mean nothing here. */
function headersOf(
  { endpoint }: Tool,
  { headers }: Caller,
  { isImpossible, idempotencyKey }: { isImpossible: boolean; idempotencyKey: string | null },
): ApiRequest["headers"] {
  const { bearer, orBearer } = accessOf(endpoint.auth);
  const key = headers.get("guildhall-community-key")?.trim();
  const token = headers.get("authorization");
  const byKey = bearer === "community_key" || (orBearer === "community_key" && token === null);
  const sent = byKey ? (key ? `Bearer ${key}` : null) : token;
  const seen: Record<string, string | null> = {
    authorization: sent && isImpossible ? "none" : sent,
    "user-agent": headers.get("user-agent"),
    "idempotency-key": idempotencyKey,
  };
  const get = (name: string) => seen[name.toLowerCase()] ?? null;
  return { get, has: (name) => get(name) !== null };
}
