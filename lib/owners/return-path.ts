const HOME = "/workspace";

/**
 * Where a person wanted to go before signing in: a path of ours, or the workspace. Whatever a browser would take for
 * another site's address is none: `//host`, `/\host`, and white space that it would skip.
 */
export function returnPath(wanted: unknown, baseUrl: string): string {
  if (typeof wanted !== "string" || wanted === "" || !URL.canParse(wanted, baseUrl)) return HOME;
  const url = new URL(wanted, baseUrl);
  if (url.origin !== baseUrl) return HOME;
  const path = `${url.pathname}${url.search}`;
  return path.startsWith("//") || /^\/(sign-(in|up)|api)(\/|$|\?)/.test(path) ? HOME : path;
}
