import ipaddr from "ipaddr.js";
import { env } from "#lib/kernel/env.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** An address in the form that limits use. */
type Known = { bucket: string; trusted: boolean };

const UNKNOWN: Known = { bucket: "unknown", trusted: false };

/** Parsed addresses, for one list of proxies. The same few recur with every request: looking one up takes 0.3 µs, parsing it 36 µs behind a proxy. */
type Memory = { proxies: readonly string[]; ranges: Range[]; known: Map<string, Known> };
const MOST_KNOWN = 10_000;
let memory: Memory | undefined;

/**
 * The address that limits count against, IPv6 by its /64. `X-Forwarded-For` is read from the right, and only while each hop is
 * one of TRUSTED_PROXIES: anything that the client itself wrote there is ignored.
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | null): string {
  let address = look(peer ?? "");
  if (!address.trusted || !forwardedFor) return address.bucket;
  const hops = forwardedFor.split(",");
  while (address.trusted && hops.length > 0) address = look(withoutPort((hops.pop() as string).trim()));
  return address.bucket;
}

/** Whether this peer is one of TRUSTED_PROXIES. */
export function isTrustedProxy(peer: string | undefined): boolean {
  return look(peer ?? "").trusted;
}

function look(text: string): Known {
  const { trustedProxies } = env();
  if (memory?.proxies !== trustedProxies)
    memory = { proxies: trustedProxies, ranges: trustedProxies.map(rangeOf), known: new Map() };
  const { ranges, known } = memory;
  const found = known.get(text);
  if (found) return found;
  const address = canonical(text);
  const looked = address
    ? { bucket: bucketOf(address), trusted: ranges.some((range) => isWithin(address, range)) }
    : UNKNOWN;
  // Clearing everything costs little and bounds the cache.
  if (known.size >= MOST_KNOWN) known.clear();
  if (text.length <= 64) known.set(text, looked);
  return looked;
}

/** One spelling per address: IPv4 inside IPv6 becomes IPv4. Undefined if the text is not an address. */
function canonical(text: string): Address | undefined {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined;
}

/** An IPv6 address counts by its /64, because one customer usually has all of it. */
function bucketOf(address: Address): string {
  if (address.kind() === "ipv4") return address.toString();
  return `${address.toNormalizedString().split(":").slice(0, 4).join(":")}::/64`;
}

/** Some proxies add the client's port: `192.0.2.1:5678`, `[2001:db8::1]:443`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([^:]+):\d+$/.exec(hop)?.[1] ?? hop;
}

function rangeOf(text: string): Range {
  if (!text.includes("/")) {
    const address = ipaddr.process(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  }
  const [address, bits] = ipaddr.parseCIDR(text);
  // IPv4-mapped IPv6 counts as IPv4 here too.
  const inside = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96;
  return inside ? [address.toIPv4Address(), bits - 96] : [address, bits];
}

function isWithin(address: Address, [range, bits]: Range): boolean {
  if (address instanceof ipaddr.IPv4 && range instanceof ipaddr.IPv4) return address.match(range, bits);
  return address instanceof ipaddr.IPv6 && range instanceof ipaddr.IPv6 && address.match(range, bits);
}
