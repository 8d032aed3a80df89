import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { UnauthorizedError as FormerUnauthorized } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

type Stored = Record<string, unknown>;

/** Where the browser comes back to a program on this machine. */
export async function openCallback() {
  let came: (query: URLSearchParams) => void = () => undefined;
  const next = () => new Promise<URLSearchParams>((done) => (came = done));
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    response
      .writeHead(200, { "Content-Type": "text/html" })
      .end(
        '<!doctype html><html lang="en"><title>Back</title><link rel="icon" href="data:,"><h1>Back in the program</h1>',
      );
    if (pathname === "/callback") came(searchParams);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return { url, next, close: () => server.close() };
}

/** What a program keeps between the steps, in the form that both generations of the official client ask for. */
class Keeper {
  readonly redirectUrl: string;
  authorizeAt: URL | undefined;
  #client: Stored | undefined;
  #tokens: Stored | undefined;
  #verifier = "";
  readonly #keepsRefreshToken: boolean;
  constructor(redirectUrl: string, keepsRefreshToken: boolean) {
    this.redirectUrl = redirectUrl;
    this.#keepsRefreshToken = keepsRefreshToken;
  }
  get clientMetadata() {
    return {
      client_name: "Desk assistant",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }
  clientInformation = () => this.#client as never;
  saveClientInformation(client: unknown): void {
    this.#client = client as Stored;
  }
  tokens = () => this.#tokens as never;
  invalidateCredentials(): void {
    this.#tokens = undefined;
  }
  saveTokens(tokens: unknown): void {
    const { refresh_token, ...others } = tokens as Stored;
    this.#tokens = this.#keepsRefreshToken ? { ...others, refresh_token } : others;
  }
  redirectToAuthorization(url: URL): void {
    this.authorizeAt = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;
}

/** A program that connects to `/mcp/connect` with the official client of one generation. */
export function openProgram(generation: "2026-07-28" | "2025-11-25", baseUrl: string, redirectUrl: string) {
  const isNew = generation === "2026-07-28";
  // Where it lacks a scope, the former client refreshes its token instead of asking for more, and then gives up.
  const keeper = new Keeper(redirectUrl, isNew);
  const endpoint = new URL("/mcp/connect", baseUrl);
  const about = { name: "desk", version: "1.0.0" };
  const newTransport = () =>
    isNew
      ? new StreamableHTTPClientTransport(endpoint, { authProvider: keeper })
      : new FormerTransport(endpoint, { authProvider: keeper });
  let client: Client | FormerClient | undefined;
  let transport = newTransport();

  async function connect(): Promise<void> {
    transport = newTransport();
    client = isNew ? new Client(about, { versionNegotiation: { mode: { pin: generation } } }) : new FormerClient(about);
    await client.connect(transport as never);
  }
  /** Does what may need the owner. @returns where the owner has to go, if so */
  async function orAuthorize(work: () => Promise<unknown>): Promise<URL | undefined> {
    keeper.authorizeAt = undefined;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof UnauthorizedError || error instanceof FormerUnauthorized)) throw error;
    }
    return keeper.authorizeAt;
  }
  return {
    connect: () => orAuthorize(connect),
    async finish(back: URLSearchParams) {
      if (transport instanceof StreamableHTTPClientTransport) await transport.finishAuth(back);
      else await transport.finishAuth(back.get("code") ?? "");
      await connect();
    },
    call: (name: string, args: Record<string, unknown> = {}) =>
      client?.callTool({ name, arguments: args }) as Promise<{ structuredContent: Record<string, never> }>,
    callOrAuthorize: (name: string, args: Record<string, unknown> = {}) =>
      orAuthorize(async () => client?.callTool({ name, arguments: args })),
    close: () => client?.close(),
  };
}
