import { createHash } from "node:crypto";
import { pagePolicy } from "#lib/kernel/headers.ts";
import type { Collected } from "./collect-answer.ts";

// Next.js marks the scripts that it renders with the nonce of the policy that proxy.ts gives it. Here the policy gets the hash of each
// marked inline script instead, and the nonce disappears. The same page is then the same bytes for everybody, so it can be cached and
// compressed once. A script that slipped in through somebody's text is never allowed: it cannot know the nonce, which is drawn for each
// render and never sent.

/** Opening tag and content. Next.js writes no `>` into the attributes of a script and no `</script` into its content. */
const SCRIPT = /<script\b([^>]*)>(.*?)<\/script>/gs;

/** Where our own script files are. */
const FILES = "/_next/static/";

/** Takes the place of every nonce, and is as long: some of the data for React counts its bytes. No policy names it. */
const NO_NONCE = `${"A".repeat(22)}==`;

/**
 * Gives a page the policy that allows its own scripts, and an answer that is no page one that allows none.
 * @param hosts where clients get our script files; what is no host is left out
 */
export function withScriptHashes(answer: Collected, hosts: readonly (string | undefined)[]): Collected {
  const { "content-security-policy": policy, "content-type": type, link } = answer.headers;
  const [, nonce] = /'nonce-([^']+)'/.exec(String(policy ?? "")) ?? [];
  if (nonce === undefined) return answer;
  const withoutNonce = (text: string) => text.replaceAll(nonce, NO_NONCE);
  const text = answer.body.includes(nonce) ? answer.body.toString() : "";
  const hashes = [...text.matchAll(SCRIPT)].flatMap(([, attributes = "", content = ""]) =>
    attributes.includes(`nonce="${nonce}"`) && !/\ssrc=/.test(attributes) ? [hashOf(withoutNonce(content))] : [],
  );
  const isPage = String(type).startsWith("text/html");
  return {
    ...answer,
    headers: {
      ...answer.headers,
      "content-security-policy": pagePolicy(isPage ? [...filesAt(hosts), ...new Set(hashes)] : []),
      ...(link === undefined ? {} : { link: withoutNonce(String(link)) }),
    },
    body: text ? Buffer.from(withoutNonce(text)) : answer.body,
  };
}

const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

function filesAt(hosts: readonly (string | undefined)[]): string[] {
  const known = hosts.filter((host) => host !== undefined && /^[\w.:[\]-]+$/.test(host));
  return [...new Set(known)].map((host) => `${host}${FILES}`);
}
