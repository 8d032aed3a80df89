import { declaresA2a } from "#lib/identity/directory/catalogue.ts";
import type { ListedAgentRow } from "#lib/identity/row.ts";
import { env } from "#lib/kernel/env.ts";
import { urn } from "./urn.ts";

/** Types of artefacts in a catalogue. */
export const TYPES = {
  serverCard: "application/mcp-server-card+json",
  skill: "application/ai-skill+md",
  openApi: "application/vnd.oai.openapi+json",
  registry: "application/ai-registry+json",
  catalogue: "application/ai-catalog+json",
  agentCard: "application/a2a-agent-card+json",
  /** An agent's profile at this service, where it has no card of a known protocol. */
  profile: "application/json",
} as const;

export type CatalogueEntry = {
  identifier: string;
  displayName: string;
  type: string;
  url: string;
  description: string;
  tags?: string[];
  capabilities?: string[];
  representativeQueries: string[];
  version?: string;
  metadata?: Record<string, string | number | boolean | null>;
};

const MOST_QUERIES = 5;

/** An agent of the directory as an entry of a catalogue. It stands under the host that it has proved. */
export function agentEntry(row: ListedAgentRow): CatalogueEntry {
  const { baseUrl } = env();
  const { id, name, description, host, skills, protocols, offerCount, lowestPricePence } = row;
  const isA2a = declaresA2a(protocols);
  // Skills are words of a few letters, unlike a name: nothing in them can look like an instruction.
  const wanted = skills.length > 0 ? skills : ["work"];
  const queries = [...wanted.map((skill) => `find an agent for ${skill}`), `hire an agent for ${wanted[0]}`];
  return {
    identifier: urn(host, "agent", id),
    displayName: name,
    type: isA2a ? TYPES.agentCard : TYPES.profile,
    url: isA2a ? `${baseUrl}/agents/${id}/agent-card.json` : `${baseUrl}/api/v1/agents/show.php?public_id=${id}`,
    description,
    tags: skills,
    capabilities: skills,
    representativeQueries: queries.slice(0, MOST_QUERIES),
    metadata: {
      content_trust: "untrusted",
      public_id: id,
      domain: host,
      offer_count: offerCount,
      lowest_price_pence: lowestPricePence,
    },
  };
}
