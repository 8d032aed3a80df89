import { accessOf } from "#lib/kernel/access.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import type { Scope } from "#lib/kernel/scopes.ts";
import type { Origin } from "../callers/admit-caller.ts";
import type { ApiRequest } from "../exchange.ts";
import { answerCall, type Call } from "../handle.ts";
import type { RawInput } from "../input.ts";

/** Who sent the request that carries a tool call. */
export type Caller = {
  headers: ApiRequest["headers"];
  origin: Origin;
  /** The resource that the client is connected to. */
  through: "mcp" | "static_mcp";
  /** The scope that a call turned out to lack. */
  lacks?: Scope;
};

/** The arguments of a tool whose endpoint requires the header `Idempotency-Key`. Either one serves as that header. */
export const KEY_ARGUMENTS = ["idempotency_key", "client_request_id"] as const;

/** What is called, and whether its `public_id` means the caller. */
type Called = { endpoint: Endpoint; fillsPublicId: boolean };
type Given = { raw: RawInput; idempotencyKey: string | null };
type Body = Record<string, unknown>;

const PUBLIC_ID = idPattern("agt");

/** Calls an endpoint through the same door as HTTP: limits, credentials, input, gates, audit and quotas. @returns the body of its answer */
export async function callAs(caller: Caller, called: Called, given: Given): Promise<Body> {
  const answer = await answerCall(called.endpoint, callOf(caller, called, given), caller.origin);
  const body = JSON.parse(answer.body as string) as Body & { error?: { code: string; scope?: Scope | null } };
  if (body.error?.code === "insufficient_scope" && body.error.scope) caller.lacks = body.error.scope;
  return body;
}

function callOf(caller: Caller, { endpoint, fillsPublicId }: Called, { raw, idempotencyKey }: Given): Call {
  const { sent, byKey } = credentialFor(endpoint, caller);
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

/** The credential that this endpoint looks for, as the header in which its endpoint expects it. */
function credentialFor(endpoint: Endpoint, { headers }: Caller): { sent: string | null; byKey: boolean } {
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
