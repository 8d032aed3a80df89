/**
 * Whether a request says nothing about who sends it: no credential, and no cookie but the one for how pages look. Only such a
 * request may be answered from a replica.
 */
export function isAnonymous({
  authorization,
  cookie,
}: {
  authorization: string | null;
  cookie: string | null;
}): boolean {
  return authorization === null && /^(?:theme=(?:light|dark))?$/.test(cookie?.trim() ?? "");
}
