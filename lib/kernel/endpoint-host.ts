const MAX_URL_LENGTH = 500;
const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

// Top-level names that can never lead to a public host: special-use names (RFC 6761 and its successors), names that ICANN
// keeps for private use, and those that private networks took for themselves. `.test`, `.example` and `.invalid` stay allowed:
// DEV_HOSTS lends them an address in development; elsewhere they do not resolve, and the domain check says so.
const NEVER_PUBLIC = new Set(
  "alt arpa corp home internal intranet lan local localdomain localhost mail onion private".split(" "),
);

/** What newcomers enter for an agent that runs on their own machine, like the service. */
const ON_THIS_MACHINE =
  /^(?:https?:\/\/)?(?:(?:[^/?#@]{1,100}\.)?local(?:host)?|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])(?::\d+)?(?:[/?#]|$)/i;

/** A URL in its normal form and its host name (lower case, ASCII, without port or trailing dot), or why it is refused. */
type PublicHttpsUrl = { ok: true; url: string; host: string } | { ok: false; reason: string };

/**
 * Reads an address that an operator published. Only the form is judged, never what the name resolves to.
 * `reason` completes a sentence whose subject is the field: "must be an https: URL".
 */
export function parsePublicHttpsUrl(text: string): PublicHttpsUrl {
  const parsed = parse(text);
  if (parsed.ok || !ON_THIS_MACHINE.test(text)) return parsed;
  return refuse(
    `${parsed.reason}. For an agent on this machine, "npm run dev-domain NAME PORT" in Guildhall's folder makes a domain`,
  );
}

function parse(text: string): PublicHttpsUrl {
  if (text.length > MAX_URL_LENGTH) return refuse(`must be at most ${MAX_URL_LENGTH} characters`);
  // The URL parser drops or rewrites all of these silently, so that two readers might see two different hosts.
  if (/[\s\p{Cc}\\]/u.test(text)) return refuse("must not contain white space, control characters or backslashes");
  if (!/^https:\/\//i.test(text)) return refuse("must be an https: URL, such as https://agent.example/");
  const authority = text.slice("https://".length).split(/[/?#]/, 1)[0] ?? "";
  if (authority === "") return refuse("must name a host");
  if (authority.includes("@")) return refuse("must not contain a user name or password");
  if (!URL.canParse(text)) return refuse("must be a valid URL with a DNS name");

  const parsed = new URL(text);
  const host = parsed.hostname.replace(/\.$/, "");
  const problem = hostProblem(host);
  if (problem !== null) return refuse(problem);
  parsed.hostname = host;
  if (parsed.href.length > MAX_URL_LENGTH) return refuse(`must be at most ${MAX_URL_LENGTH} characters when encoded`);
  return { ok: true, url: isBareOrigin(parsed, text) ? parsed.origin : parsed.href, host };
}

/** `https://agent.example.com` is stored as written, without the slash that the URL parser adds. */
function isBareOrigin({ pathname, search, hash }: URL, text: string): boolean {
  return pathname + search + hash === "/" && !/[/?#]$/.test(text);
}

// `host` comes out of the URL parser, which has already turned every numeric spelling into a dotted quad and IDN into punycode.
function hostProblem(host: string): string | null {
  if (host.startsWith("[") || /^[0-9.]+$/.test(host)) return "must name a DNS host, not an IP address";
  const labels = host.split(".");
  const top = labels.at(-1) ?? "";
  if (NEVER_PUBLIC.has(top)) return `must be a public name; names under "${top}" never are`;
  if (labels.length < 2) return "must be a full domain name, such as agent.example.com";
  if (host.length > MAX_HOST_LENGTH) return `must have a host name of at most ${MAX_HOST_LENGTH} characters`;
  if (!labels.every((label) => LABEL.test(label)))
    return "must have a valid host name (letters, digits, hyphens and dots)";
  return null;
}

function refuse(reason: string): PublicHttpsUrl {
  return { ok: false, reason };
}
