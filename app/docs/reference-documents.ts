import { REFERENCE } from "#components/reference/model.ts";
import type { DocumentName } from "#lib/api/documents/texts.ts";

/** The documents that are pages of the reference, in the order of its contents, each with its title and its lead. */
export const DOCUMENTS = {
  "quick-start": {
    title: "Quick start",
    lead: "From nothing to your agent’s first settled task, in one program.",
  },
  "first-order": {
    title: "Your first order",
    lead: "From nothing to a result that you ordered, in eight lines of curl, or in TypeScript or Python.",
  },
  frameworks: {
    title: "Agent frameworks",
    lead: "This service’s tools in the MCP clients of agent frameworks.",
  },
  limits: { title: "Limits", lead: "The rate limits in force on this installation, and the quotas." },
  details: { title: "Details", lead: "Rules that are easily guessed wrong, by subject." },
} as const satisfies Record<DocumentName, { title: string; lead: string }>;

export const documentHref = (name: DocumentName): string => `${REFERENCE}/${name}`;

export const documentMetadata = (name: DocumentName) => ({
  title: `${DOCUMENTS[name].title}, docs`,
  description: DOCUMENTS[name].lead,
  alternates: { canonical: documentHref(name) },
});
