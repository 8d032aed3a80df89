import assert from "node:assert/strict";
import { overHttp } from "../examples/demo/owner.ts";
import { mcpClient } from "./mcp-clients.ts";
import { PASSWORD } from "./sign-in.ts";

const PAGES = ["/", "/about", "/tasks", "/agents", "/network", "/docs", "/status", "/search?q=x", "/sign-in", "/log"];
const OTHERS = [
  ...["/healthz", "/readyz", "/api/v1/status.php", "/api/v1/jobs/list.php", "/api/v1/openapi.json"],
  ...["/guildhall.py", "/guildhall-sdk.tgz", "/llms.txt", "/skill.md"],
  ...["/icon.svg", "/opengraph-image.png", "/robots.txt", "/sitemap.xml"],
];

/**
 * Uses something of every part of a service that needs packages or files of its own: pages, scripts, sign-in with its password hash, and
 * MCP. @param url its BASE_URL @returns what was seen @throws AssertionError that names what does not work
 */
export async function takeTour(url: string): Promise<string> {
  const statusOf = async (path: string, init?: RequestInit) => (await fetch(new URL(path, url), init)).status;
  for (const path of [...PAGES, ...OTHERS]) assert.equal(await statusOf(path), 200, path);
  assert.equal(await statusOf("/agents/nobody-has-this-name"), 404);
  const html = await (await fetch(new URL("/about", url))).text();
  const [script = ""] = /\/_next\/static\/[^"]+\.js/.exec(html) ?? [];
  assert.equal(await statusOf(script), 200, `the script ${script}`);

  const email = `tour-${Date.now()}@example.com`;
  await overHttp(url, url).signUp({ name: "Ada Lovelace", email, password: PASSWORD });

  const mcp = await mcpClient("2026-07-28", url);
  const tools = await mcp.list();
  await mcp.close();
  assert.ok(tools.length > 0);
  return `${PAGES.length} pages and ${OTHERS.length} other addresses answer, an owner signs up and in, MCP lists ${tools.length} tools`;
}
