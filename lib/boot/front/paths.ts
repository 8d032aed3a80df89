/*
 * What a path is, before anything has looked at it further.
 */

/**
 * Every path below `/api` belongs to the API, except the owners' sign-in, which Next.js answers. So do MCP, the directory's
 * interface for registries (`/ard`), the log and the witness, and the probes.
 */
export function isApi(url: string): boolean {
  return /^\/(?:(?:api(?!\/auth(?:[/?]|$))|mcp|oauth|ard|healthz|readyz|witness)(?=[/?]|$)|log\/[^/?])/.test(url);
}

export const isProbe = (url: string) => /^\/(?:healthz|readyz)(?=[?]|$)/.test(url);
export const isSignIn = (url: string) => /^\/api\/auth(?=[/?]|$)/.test(url);
/** Files that pages load: they cost almost nothing, and one page needs a dozen. A path with `..` is not one of them. */
export const isFile = (url: string) =>
  !/\.\.|%2e|%5c|\\/i.test(url) &&
  /^\/(?:_next\/static\/|(?:favicon\.ico|icon\.svg|notifications\.js|opengraph-image\.png)(?=[?]|$))/.test(url);
/** Everything else that is produced for each request: pages, feeds, site maps and probes. */
export const isPage = (url: string) => isProbe(url) || !(isApi(url) || isSignIn(url) || isFile(url));

/** A proxy may send a whole URL (RFC 9112, 3.2.2). Only its path counts, which may be missing. */
export function pathOf(target: string): string {
  if (target.startsWith("/") || target === "*") return target;
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}
