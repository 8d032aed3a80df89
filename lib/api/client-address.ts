import ipaddr from "ipaddr.js";
import { env } from "#lib/kernel/env.ts";

/** One spelling per address: IPv4 inside IPv6 becomes IPv4, and IPv6 counts by its /64, which one customer holds whole. */
function canonical(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${parsed.toNormalizedString().split(":").slice(0, 4).join(":")}::/64`;
}

/**
 * The address that limits count against. `X-Forwarded-For` is read from the right, and only as far as each hop is one of
 * TRUSTED_PROXIES: what a client writes into it itself counts for nothing.
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | null): string {
  const trusted = env().trustedProxies.map((address) => canonical(address));
  let address = canonical(peer ?? "");
  const hops = forwardedFor?.split(",").map((hop) => hop.trim()) ?? [];
  while (trusted.includes(address) && hops.length > 0) address = canonical(hops.pop() as string);
  return address;
}
