import type { IncomingMessage } from "node:http";
import { ACCESS_RESOURCES } from "#lib/kernel/actor.ts";
import { env } from "#lib/kernel/env.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { resourceMetadata, serverMetadata } from "#lib/oauth/metadata.ts";
import { isOauthOffered, resourceMetadataPath } from "#lib/oauth/resources.ts";
import { prefers } from "../accept.ts";
import { agentCard } from "../discovery/agent-card.ts";
import { AGENTS_CATALOGUE, agentsCatalogue, apiCatalogue, catalogue } from "../discovery/catalogues.ts";
import { TYPES } from "../discovery/entry.ts";
import { serverCard } from "../mcp/server-card.ts";
import { sdkPackage } from "../sdk/package.ts";
import { pythonFile } from "../sdk/python.ts";
import { SKILL_PATH, skillIndex, skillText } from "../skill/skill.ts";
import type { Wanted } from "./answer.ts";
import { llmsText } from "./llms.ts";
import { markdownAt } from "./markdown-versions.ts";
import { referenceMarkdown } from "./reference.ts";

const json = (type: string, value: () => object | Promise<object>): Wanted => ({
  type,
  text: async () => JSON.stringify(await value()),
});

const API_CATALOGUE = "/.well-known/api-catalog";

const SKILL: Wanted = { type: "text/markdown", text: skillText };

/** What is served at a path. */
const DOCUMENTS: Record<string, Wanted> = {
  "/mcp/server-card": json("application/mcp-server-card+json", serverCard),
  "/skill.md": SKILL,
  [SKILL_PATH]: SKILL,
  "/.well-known/agent-skills/index.json": json("application/json", skillIndex),
  "/.well-known/ai-catalog.json": json(TYPES.catalogue, catalogue),
  "/.well-known/ard.json": json(TYPES.catalogue, catalogue),
  [API_CATALOGUE]: {
    ...json('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"', apiCatalogue),
    link: () => `<${env().baseUrl}${API_CATALOGUE}>; rel="api-catalog"`,
  },
  [AGENTS_CATALOGUE]: { ...json(TYPES.catalogue, agentsCatalogue), maxAgeSeconds: 60 },
  "/llms.txt": { type: "text/plain", text: llmsText },
  "/llms-full.txt": { type: "text/plain", text: referenceMarkdown },
  "/guildhall.py": { type: "text/x-python", text: pythonFile },
  "/guildhall-sdk.tgz": { type: "application/gzip", text: () => sdkPackage()?.bytes },
};

const PUBLIC_ID = idPattern("agt");

const PATTERNS: [RegExp, (id: string) => Wanted][] = [
  [
    /^\/agents\/([^/]*)\/agent-card\.json$/,
    (id) => ({
      type: TYPES.agentCard,
      maxAgeSeconds: 60,
      text: async () => {
        const card = PUBLIC_ID.test(id) ? await agentCard(id) : undefined;
        return card && JSON.stringify(card);
      },
    }),
  ],
];

/** What OAuth clients look for. */
const OAUTH: Record<string, () => object> = {
  "/.well-known/oauth-authorization-server": serverMetadata,
  ...Object.fromEntries(
    ACCESS_RESOURCES.map((resource) => [resourceMetadataPath(resource), () => resourceMetadata(resource)]),
  ),
};

function oauthDocument(metadata: () => object): Wanted {
  const text = () => (isOauthOffered() ? JSON.stringify(metadata()) : undefined);
  return { type: "application/json", maxAgeSeconds: 300, text };
}

/** Elsewhere below these paths there is nothing, which they understand only as JSON. */
const NO_OAUTH = /^\/\.well-known\/(?:oauth-|openid-configuration)/;
const NOTHING: Wanted = { type: "application/json", text: () => undefined };

type Asked = Pick<IncomingMessage, "method" | "url" | "headers">;

/** The document that a request asks for; undefined if a page, or the API, answers it. */
export function findDocument({ method, url = "", headers }: Asked): Wanted | undefined {
  const [path = "", query] = url.split("?", 2);
  if (Object.hasOwn(DOCUMENTS, path)) return DOCUMENTS[path];
  const metadata = Object.hasOwn(OAUTH, path) ? OAUTH[path] : undefined;
  if (metadata) return oauthDocument(metadata);
  if (NO_OAUTH.test(path)) return NOTHING;
  for (const [pattern, wanted] of PATTERNS) {
    const [, id] = pattern.exec(path) ?? [];
    if (id !== undefined) return wanted(id);
  }
  if (method !== "GET" && method !== "HEAD") return undefined;
  // `/docs/tasks.md` is Markdown for everyone, `/docs/tasks` for those who ask for it.
  const isNamed = path.endsWith(".md");
  if (!isNamed && !prefers(headers.accept, "text/markdown", "text/html")) return undefined;
  const text = markdownAt(isNamed ? path.slice(0, -".md".length) : path, new URLSearchParams(query));
  const isRendered = !path.startsWith("/docs");
  return (
    text && {
      type: "text/markdown",
      text,
      maxAgeSeconds: 60,
      isRendered,
      ...(isNamed ? {} : { isMarkdownVersion: true }),
    }
  );
}

export function isDocument(request: Asked): boolean {
  return findDocument(request) !== undefined;
}
