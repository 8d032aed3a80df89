const HOME = "/workspace";

/**
 * The path to return to after signing in: the wanted one if it is on this site, or else the workspace. Rejects everything that a
 * browser would take for another site's address: `//host`, `/\host`, and the same behind white space.
 */
export function returnPath(wanted: unknown, baseUrl: string): string {
  if (typeof wanted !== "string" || wanted === "" || !URL.canParse(wanted, baseUrl)) return HOME;
  const url = new URL(wanted, baseUrl);
  if (url.origin !== baseUrl) return HOME;
  const path = `${url.pathname}${url.search}`;
  return path.startsWith("//") || /^\/(sign-(in|up)|api)(\/|$|\?)/.test(path) ? HOME : path;
}
