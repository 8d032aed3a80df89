import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

type Listed = {
  name: string;
  description?: string;
  inputSchema: {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
    additionalProperties?: unknown;
  };
  annotations?: Record<string, unknown>;
};

/** What a test does with a client, whichever generation it is of. */
export type McpClient = {
  server: { name: string; version: string } | undefined;
  list(): Promise<Listed[]>;
  resources(): Promise<{ uri: string; mimeType?: string | undefined }[]>;
  read(uri: string): Promise<string>;
  /** The structured answer of a tool, whatever it is. */
  call<Body = Record<string, unknown>>(name: string, args?: Record<string, unknown>): Promise<Body>;
  close(): Promise<void>;
};

export type Generation = "2026-07-28" | "2025-11-25";

/** The official client of each generation of the protocol, connected with these headers. */
export async function mcpClient(
  generation: Generation,
  url: string,
  headers: Record<string, string> = {},
): Promise<McpClient> {
  const about = { name: "test", version: "1.0.0" };
  const endpoint = new URL("/mcp", url);
  const options = { requestInit: { headers } };
  if (generation === "2026-07-28") {
    const client = new Client(about, { versionNegotiation: { mode: { pin: generation } } });
    await client.connect(new StreamableHTTPClientTransport(endpoint, options));
    return adapted(client);
  }
  const client = new FormerClient(about);
  // Its types disagree with exactOptionalPropertyTypes.
  await client.connect(new FormerTransport(endpoint, options) as Parameters<FormerClient["connect"]>[0]);
  return adapted(client);
}

function adapted(client: Client | FormerClient): McpClient {
  return {
    server: client.getServerVersion(),
    list: async () => (await client.listTools()).tools as Listed[],
    resources: async () => (await client.listResources()).resources,
    async read(uri) {
      const { contents } = await client.readResource({ uri });
      return (contents[0] as { text: string }).text;
    },
    async call<Body>(name: string, args: Record<string, unknown> = {}) {
      const { content, structuredContent, isError } = (await client.callTool({ name, arguments: args })) as {
        content: { type: string; text: string }[];
        structuredContent: Body & { ok: boolean };
        isError?: boolean;
      };
      assert.deepEqual(JSON.parse(content[0]?.text ?? ""), structuredContent, "the text is the same JSON");
      assert.equal(isError === true, !structuredContent.ok);
      return structuredContent;
    },
    close: () => client.close(),
  };
}
