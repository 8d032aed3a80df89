import ipaddr from "ipaddr.js";

// ipaddr.js knows the IANA special-purpose registries; these are the addresses that it takes for ordinary ones.
const AZURE_PLATFORM = ipaddr.IPv4.parse("168.63.129.16");
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether `ip` is an address on the public internet that a request from here may go to. Only the plain spellings count
 * (four decimal parts, or IPv6 without a zone): anything else is false, as are all special-purpose, translated and tunnelled
 * ranges, even where the IPv4 address inside them is public.
 */
export function isPublicAddress(ip: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return isPublicIpv4(ipaddr.IPv4.parse(ip));
  if (ip.includes("%") || !ipaddr.IPv6.isValid(ip)) return false;
  return isPublicIpv6(ipaddr.IPv6.parse(ip));
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && !address.match(AZURE_PLATFORM, 32);
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  // What lies outside 2000::/3 is unassigned or special, including the IPv4-mapped, IPv4-compatible and NAT64 forms.
  return address.match(GLOBAL_UNICAST) && address.range() === "unicast" && !isIsatap(address);
}

// RFC 5214: an interface identifier of 0:5efe (or 200:5efe) leads into an IPv4 tunnel, whatever the prefix.
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}
