import type { AccessResource } from "#lib/kernel/actor.ts";
import { isLoopback } from "#lib/kernel/env/local-domains.ts";
import { env } from "#lib/kernel/env.ts";

/** Where each kind of token may be used, below the base URL. */
const PATHS: Record<AccessResource, string> = { mcp: "/mcp/connect", api: "/api/v1" };

/** Whether programs can be connected: a code must never travel in the clear. */
export function isOauthOffered(): boolean {
  const { protocol, hostname } = new URL(env().baseUrl);
  return protocol === "https:" || isLoopback(hostname);
}

export const CANNOT_CONNECT = "The program cannot be connected";

/** Whether a person's browser asks, and not a program. */
export const isForBrowser = (path: string) => /^\/oauth\/authorize(?:\/|$)/.test(path);

/** The identifier of a resource (RFC 8707). */
export const resourceUri = (resource: AccessResource): string => `${env().baseUrl}${PATHS[resource]}`;

/** The resource with this identifier, which must be exact but for the case of scheme and host, and a last slash. */
export function resourceOf(uri: string): AccessResource | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { origin, pathname, search, hash, username } = new URL(uri);
  if (origin !== env().baseUrl || search || hash || username) return undefined;
  const found = Object.entries(PATHS).find(([, path]) => path === pathname.replace(/\/$/, ""));
  return found?.[0] as AccessResource | undefined;
}

/** Where the metadata of a resource are (RFC 9728). */
export const resourceMetadataPath = (resource: AccessResource): string =>
  `/.well-known/oauth-protected-resource${PATHS[resource]}`;
