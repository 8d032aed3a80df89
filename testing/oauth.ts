import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { env } from "#lib/kernel/env.ts";
import type { Scope } from "#lib/kernel/scopes.ts";
import { succeeded, type TestAgent } from "./factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "./owner.ts";
import { ownedAgent } from "./owner-limits.ts";

export const REDIRECT = "http://127.0.0.1:7777/callback";

/** A program that registers itself, and the secrets of its request. */
export type Program = { clientId: string; verifier: string; challenge: string; redirectUri: string };

export type Tokens = { access_token: string; refresh_token: string; scope: string; expires_in: number };

/** An agent and the owner who may connect programs to it. */
export async function agentAndOwner(): Promise<{ agent: TestAgent; owner: TestOwner }> {
  const owner = await signedInOwner();
  return { agent: await ownedAgent(owner), owner };
}

export async function registerProgram(fields: object = {}): Promise<Program> {
  const body = { client_name: "Test program", redirect_uris: [REDIRECT], ...fields };
  const response = await post("/oauth/register", JSON.stringify(body), { "Content-Type": "application/json" });
  assert.equal(response.status, 201, await response.clone().text());
  const { client_id: clientId, redirect_uris: uris } = (await response.json()) as Record<string, string & string[]>;
  const verifier = randomBytes(32).toString("base64url");
  return { clientId: clientId as string, verifier, challenge: challengeOf(verifier), redirectUri: uris?.[0] ?? "" };
}

export const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

export function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${env().baseUrl}${path}`, { method: "POST", body, headers, redirect: "manual" });
}

export function authorizeUrl(program: Program, fields: Record<string, string | undefined> = {}): string {
  const all: Record<string, string | undefined> = {
    ...{ response_type: "code", client_id: program.clientId, redirect_uri: program.redirectUri, state: "st" },
    ...{ code_challenge: program.challenge, code_challenge_method: "S256", scope: "read" },
    ...{ resource: `${env().baseUrl}/mcp/connect`, ...fields },
  };
  const query = Object.entries(all).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return `${env().baseUrl}/oauth/authorize?${new URLSearchParams(query)}`;
}

/** A browser that is signed in as this owner, or as nobody: it keeps the cookies of the authorization server. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #own: string;
  constructor(owner?: TestOwner) {
    this.#own = owner?.cookie ?? "";
  }
  async get(url: string): Promise<Response> {
    const cookie = [this.#own, ...[...this.#cookies].map(([name, value]) => `${name}=${value}`)]
      .filter(Boolean)
      .join("; ");
    const response = await fetch(url, { headers: { Cookie: cookie }, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

export const locationOf = (response: Response) => new URL(response.headers.get("Location") ?? "", env().baseUrl);

/** Opens the consent page. @returns the request's ID */
export async function ask(
  browser: Browser,
  program: Program,
  fields: Record<string, string | undefined> = {},
): Promise<string> {
  const response = await browser.get(authorizeUrl(program, fields));
  assert.equal(response.status, 303, await response.clone().text());
  const [, id = ""] = /^\/connect\/(.+)$/.exec(locationOf(response).pathname) ?? [];
  assert.ok(id, locationOf(response).href);
  return id;
}

type Consent = { scopes?: Scope[]; max_price_pence?: number; expires_in_days?: number; decision?: "allow" | "refuse" };
/** `resource`: what the tokens are for; by default `/mcp/connect`. */
type Wanted = Consent & { resource?: string };

export function consent(owner: TestOwner, agent: TestAgent, request: string, fields: Consent = {}) {
  const body = { request, decision: "allow", public_id: agent.publicId, scopes: ["read"], ...fields };
  return callAsOwner<{ redirect_to: string }>(owner, "POST", "/api/v1/owners/connect.php", body);
}

/** The whole way from the request to the code. @returns the parameters with which the browser comes back to the program */
export async function obtainCode(
  { agent, owner }: { agent: TestAgent; owner: TestOwner },
  program: Program,
  { scopes = ["read"], resource, ...fields }: Wanted = {},
): Promise<URLSearchParams> {
  const browser = new Browser(owner);
  const request = await ask(browser, program, { scope: scopes.join(" "), ...(resource ? { resource } : {}) });
  const spends = scopes.includes("order") || scopes.includes("pay");
  const answer = await consent(owner, agent, request, {
    scopes,
    ...(spends ? { max_price_pence: 1_000 } : {}),
    ...fields,
  });
  succeeded(answer);
  const response = await browser.get(answer.body.redirect_to);
  return locationOf(response).searchParams;
}

export function redeem(program: Program, fields: Record<string, string>): Promise<Response> {
  const all = { client_id: program.clientId, resource: `${env().baseUrl}/mcp/connect`, ...fields };
  return post("/oauth/token", new URLSearchParams(all).toString(), {
    "Content-Type": "application/x-www-form-urlencoded",
  });
}

export const redeemCode = (program: Program, code: string, fields: Record<string, string> = {}) =>
  redeem(program, {
    ...{ grant_type: "authorization_code", code, redirect_uri: program.redirectUri, code_verifier: program.verifier },
    ...fields,
  });

export const refresh = (program: Program, refreshToken: string, fields: Record<string, string> = {}) =>
  redeem(program, { grant_type: "refresh_token", refresh_token: refreshToken, ...fields });

/** A program that an owner has connected, with its first tokens. */
export async function connected(fields: Wanted = {}) {
  const parties = await agentAndOwner();
  const program = await registerProgram();
  const code = (await obtainCode(parties, program, fields)).get("code") ?? assert.fail("no code");
  const { resource } = fields;
  const response = await redeemCode(program, code, resource ? { resource } : {});
  assert.equal(response.status, 200, await response.clone().text());
  return { ...parties, program, code, tokens: (await response.json()) as Tokens };
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Calls a tool over MCP with these headers. */
export function callTool(
  headers: Record<string, string>,
  path = "/mcp/connect",
  name = "agents_me",
): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } });
  const types = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  return post(path, body, { ...types, ...headers });
}
