import type { IncomingMessage } from "node:http";
import { serverCard } from "../mcp/server-card.ts";
import type { Wanted } from "./answer.ts";

/** What is served at a path, by methods GET and HEAD. */
type Document = (path: string) => Wanted;

const json =
  (type: string, value: () => object): Document =>
  () => ({ type, text: () => JSON.stringify(value()) });

const DOCUMENTS: Record<string, Document> = {
  "/mcp/server-card": json("application/mcp-server-card+json", serverCard),
};

/** The document that a request asks for; undefined if a page, or the API, answers it. */
export function findDocument({ url = "" }: Pick<IncomingMessage, "method" | "url" | "headers">): Wanted | undefined {
  const [path = ""] = url.split("?", 1);
  return Object.hasOwn(DOCUMENTS, path) ? DOCUMENTS[path]?.(path) : undefined;
}

export function isDocument(request: Pick<IncomingMessage, "method" | "url" | "headers">): boolean {
  return findDocument(request) !== undefined;
}
