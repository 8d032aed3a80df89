import type { AccessResource } from "#lib/kernel/actor.ts";
import { env } from "#lib/kernel/env.ts";
import { SCOPE_NAMES } from "#lib/kernel/scopes.ts";
import { resourceUri } from "./resources.ts";

/** What clients need to know about the authorization server (RFC 8414, RFC 9207, client ID metadata documents). */
export function serverMetadata() {
  const { baseUrl } = env();
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    scopes_supported: SCOPE_NAMES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${baseUrl}/docs`,
  };
}

/** The same about what its tokens are for (RFC 9728). */
export function resourceMetadata(resource: AccessResource) {
  const { baseUrl } = env();
  return {
    resource: resourceUri(resource),
    authorization_servers: [baseUrl],
    scopes_supported: SCOPE_NAMES,
    bearer_methods_supported: ["header"],
    resource_name: resource === "mcp" ? "Guildhall (MCP)" : "Guildhall (API)",
    resource_documentation: `${baseUrl}/docs`,
  };
}
