import { accessOf } from "#lib/kernel/access.ts";
import type { FieldError } from "#lib/kernel/errors.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { didYouMean } from "#lib/kernel/mistakes.ts";
import type { Scope } from "#lib/kernel/scopes.ts";
import { pathSegment } from "#lib/kernel/text.ts";
import type { FileWire } from "#lib/tasks/files/schema.ts";
import type { Origin } from "../callers/admit-caller.ts";
import type { ApiRequest } from "../exchange.ts";
import { answerCall, type Call, KEY_MEANING } from "../handle.ts";
import type { RawInput } from "../input.ts";
import { type FileContent, fileContents } from "./file-contents.ts";
import { KEY_ARGUMENTS } from "./tool-input.ts";
import { answerInTools } from "./tool-names.ts";
import { isOffered, TOOLS, type Tool } from "./tools.ts";

/** The result of a call in the form of the protocol. */
type ToolResult = {
  content: [{ type: "text"; text: string }, ...FileContent[]];
  structuredContent: Record<string, unknown>;
  isError?: true;
};

/** Who sent the request that carries a tool call. */
export type Caller = {
  headers: ApiRequest["headers"];
  origin: Origin;
  /** The resource that the client is connected to. */
  through: "mcp" | "static_mcp";
  /** The scope that a call turned out to lack. */
  lacks?: Scope;
};

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
  if (!tool || !isOffered(tool)) return undefined;
  const answer = await answerCall(tool.endpoint, callOf(tool, args, caller), caller.origin);
  const answered = JSON.parse(answer.body as string) as { error?: { code: string; scope?: Scope | null } };
  if (answered.error?.code === "insufficient_scope" && answered.error.scope) caller.lacks = answered.error.scope;
  const body = answerInTools(answered);
  const text = JSON.stringify(body);
  const files = name === "jobs_files" && body.ok === true ? await fileContents(body.files as FileWire[]) : [];
  return {
    content: [{ type: "text", text }, ...files],
    structuredContent: body,
    ...(body.ok === true ? {} : { isError: true }),
  };
}

function callOf(tool: Tool, args: Record<string, unknown>, caller: Caller): Call {
  const { endpoint, fillsPublicId } = tool;
  const { idempotencyKey, raw } = readArguments(tool, args);
  const { sent, byKey } = credentialFor(tool, caller);
  const given = "value" in raw ? raw.value : {};
  // The header names the identity whose token is sent. A community key may belong to another profile of the same operator.
  const named = byKey ? undefined : caller.headers.get("guildhall-public-id")?.trim() || undefined;
  // An ID in the wrong form can't be the caller's, but the input check, which would say so, doesn't see this one.
  const isImpossible = fillsPublicId && named !== undefined && !PUBLIC_ID.test(named);
  return {
    headers: headersFrom({
      authorization: sent && isImpossible ? "none" : sent,
      "user-agent": caller.headers.get("user-agent"),
      "idempotency-key": idempotencyKey,
    }),
    query: endpoint.alsoLimit ? new URLSearchParams(queryOf(given)) : NOTHING,
    raw,
    publicId: fillsPublicId ? named : given.public_id,
    through: caller.through,
    fillsPublicId,
    credentialHelp: CREDENTIAL_HELP[accessOf(endpoint.auth).bearer ?? "management_token"],
    idempotencyKeyName: KEY_ARGUMENTS[0],
  };
}

const NOTHING = new URLSearchParams();

/** Arguments that a query could carry. Others are refused by the input check, which comes after the limits. */
function queryOf(given: Record<string, unknown>): [string, string][] {
  return Object.entries(given).flatMap(([name, each]): [string, string][] =>
    typeof each === "string" || typeof each === "number" ? [[name, String(each)]] : [],
  );
}

const CREDENTIAL_HELP = {
  management_token:
    "This tool needs the identity's management token. The operator sets it in the MCP client's configuration, as the header Authorization: Bearer. If Guildhall-Public-Id is sent too, it must be that identity's. Never ask for the token, and never pass it as an argument.",
  community_key:
    "This tool needs the profile's community key. The operator sets it in the MCP client's configuration, as the header Guildhall-Community-Key. Never ask for the key, and never pass it as an argument.",
};

/** How many arguments that a tool does not have are named in a refusal. */
const NAMED_UNKNOWN = 10;

/**
 * What the endpoint checks, and what it takes for the header `Idempotency-Key`. Arguments that the tool does not list are refused,
 * even where its endpoint would accept them, together with everything that the endpoint finds wrong with the others.
 */
function readArguments(
  { endpoint, definition }: Tool,
  args: Record<string, unknown>,
): { idempotencyKey: string | null; raw: RawInput } {
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
  if (!endpoint.idempotencyKey) return { idempotencyKey: null, raw: { value: { ...known, ...selected }, refused } };
  const [first, second] = KEY_ARGUMENTS;
  const { [first]: key, [second]: sameKey, ...value } = known;
  if (key !== undefined && sameKey !== undefined && key !== sameKey)
    refused.push({ path: second, message: `must be the same as ${first}, if both are sent` });
  const sent = key ?? sameKey;
  if (sent === undefined) refused.push({ path: first, message: `is required: ${KEY_MEANING}` });
  else if (typeof sent !== "string")
    refused.push({ path: key === undefined ? second : first, message: "must be a string" });
  const idempotencyKey = typeof sent === "string" ? sent : null;
  return { idempotencyKey, raw: { value: { ...value, ...selected }, refused } };
}

/** The credential that this tool looks for, as the header in which its endpoint expects it. */
function credentialFor({ endpoint }: Tool, { headers }: Caller): { sent: string | null; byKey: boolean } {
  const { bearer, orBearer } = accessOf(endpoint.auth);
  const key = headers.get("guildhall-community-key")?.trim();
  const token = headers.get("authorization");
  const byKey = bearer === "community_key" || (orBearer === "community_key" && token === null);
  return { sent: byKey ? (key ? `Bearer ${key}` : null) : token, byKey };
}

/** The headers that the endpoint may see: cookies and origins of the carrying request mean nothing here. */
function headersFrom(seen: Record<string, string | null>): ApiRequest["headers"] {
  const get = (name: string) => seen[name.toLowerCase()] ?? null;
  return { get, has: (name) => get(name) !== null };
}
