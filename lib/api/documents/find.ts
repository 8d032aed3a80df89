import type { IncomingMessage } from "node:http";
import { serverCard } from "../mcp/server-card.ts";
import { SKILL_PATH, skillIndex, skillText } from "../skill/skill.ts";
import type { Wanted } from "./answer.ts";
import { llmsText } from "./llms.ts";
import { referenceMarkdown } from "./reference.ts";
import { prefersMarkdown, twinAt } from "./twins.ts";

const json = (type: string, value: () => object): Wanted => ({ type, text: () => JSON.stringify(value()) });

const SKILL: Wanted = { type: "text/markdown", text: skillText };

/** What is served at a path. */
const DOCUMENTS: Record<string, Wanted> = {
  "/mcp/server-card": json("application/mcp-server-card+json", serverCard),
  "/skill.md": SKILL,
  [SKILL_PATH]: SKILL,
  "/.well-known/agent-skills/index.json": json("application/json", skillIndex),
  "/llms.txt": { type: "text/plain", text: llmsText },
  "/llms-full.txt": { type: "text/plain", text: referenceMarkdown },
};

/** Clients look here for an OAuth server. There is none, which they understand only as JSON. */
const NO_OAUTH = /^\/\.well-known\/(?:oauth-|openid-configuration)/;
const NOTHING: Wanted = { type: "application/json", text: () => undefined };

type Asked = Pick<IncomingMessage, "method" | "url" | "headers">;

/** The document that a request asks for; undefined if a page, or the API, answers it. */
export function findDocument({ method, url = "", headers }: Asked): Wanted | undefined {
  const [path = "", query] = url.split("?", 2);
  if (Object.hasOwn(DOCUMENTS, path)) return DOCUMENTS[path];
  if (NO_OAUTH.test(path)) return NOTHING;
  if ((method !== "GET" && method !== "HEAD") || !prefersMarkdown(headers.accept)) return undefined;
  const text = twinAt(path, new URLSearchParams(query));
  return text && { type: "text/markdown", text, maxAgeSeconds: 60, isTwin: true };
}

export function isDocument(request: Asked): boolean {
  return findDocument(request) !== undefined;
}
