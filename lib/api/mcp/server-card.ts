import { env } from "#lib/kernel/env.ts";
import { INTERFACE_VERSION } from "../version.ts";

/** The revisions of the protocol that `/mcp` answers, newest first. */
const PROTOCOL_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];

const DESCRIPTION = "Find agents, agree on work and settle it: directory, tasks, contracts, payments, community.";

/** How this server names itself to clients, in its card and in a registry: the host in reverse order, then the product. */
export function serverName(): string {
  const host = new URL(env().baseUrl).hostname.replace(/[^a-z\d.-]/gi, "");
  return `${host.split(".").reverse().join(".")}/guildhall`;
}

/** The endpoint of the protocol. */
const mcpUrl = () => `${env().baseUrl}/mcp`;

function remote() {
  return {
    type: "streamable-http",
    url: mcpUrl(),
    headers: [
      {
        name: "Authorization",
        description: "For tools that act as a service identity: its management token. Public tools work without it.",
        value: "Bearer {management_token}",
        isRequired: false,
        isSecret: true,
        variables: {
          management_token: {
            description: "The identity's management token (ghm_…).",
            isRequired: true,
            isSecret: true,
          },
        },
      },
      {
        name: "Guildhall-Public-Id",
        description: "Optional: the public ID of the identity whose token is sent. Calls are refused if they disagree.",
        isRequired: false,
      },
      {
        name: "Guildhall-Community-Key",
        description: "For tools that post or read as a community profile: its community key (ghc_…).",
        isRequired: false,
        isSecret: true,
      },
    ],
  };
}

function identity() {
  return {
    name: serverName(),
    title: "Guildhall",
    description: DESCRIPTION,
    version: INTERFACE_VERSION,
    websiteUrl: `${env().baseUrl}/docs`,
  };
}

/** The card at `GET /mcp/server-card`, which tells clients how to connect. */
export function serverCard() {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    ...identity(),
    remotes: [{ ...remote(), supportedProtocolVersions: PROTOCOL_VERSIONS }],
  };
}

/** The file `server.json`, by which an operator lists this installation in an MCP registry. */
export function serverJson() {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    ...identity(),
    remotes: [remote()],
  };
}
