import ipaddr from "ipaddr.js";
import { env } from "#lib/kernel/env.ts";

/** One spelling per address: IPv4 inside IPv6 becomes IPv4. Undefined for what is no address. */
function canonical(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

/** What limits count against: an IPv6 address counts by its /64, which one customer holds whole. */
function bucket(address: ipaddr.IPv4 | ipaddr.IPv6 | undefined): string {
  if (!address) return "unknown";
  if (address.kind() === "ipv4") return address.toString();
  return `${address.toNormalizedString().split(":").slice(0, 4).join(":")}::/64`;
}

/**
 * The address that limits count against. `X-Forwarded-For` is read from the right, and only as far as each hop is one of
 * TRUSTED_PROXIES: what a client writes into it itself counts for nothing.
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | null): string {
  const trusted = env().trustedProxies.map((address) => canonical(address)?.toString());
  const hops = forwardedFor?.split(",").map((hop) => hop.trim()) ?? [];
  let address = canonical(peer ?? "");
  while (address && trusted.includes(address.toString()) && hops.length > 0) address = canonical(hops.pop() as string);
  return bucket(address);
}
