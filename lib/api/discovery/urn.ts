import { isIP } from "node:net";
import { env } from "#lib/kernel/env.ts";

/** Who publishes what belongs to this service: its host. A service on this machine has no public name. */
export function publisher(): string {
  const host = new URL(env().baseUrl).hostname;
  return host.includes(".") && isIP(host) === 0 && !host.startsWith("[") ? host : "guildhall.localhost";
}

/** The permanent name of something in a catalogue. `host` is who answers for it. */
export function urn(host: string, namespace: string, name: string): string {
  return `urn:air:${host}:${namespace}:${name}`;
}
