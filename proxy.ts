import { type NextRequest, NextResponse } from "next/server";
import { SECTIONS } from "#app/sections.ts";
import { pagePolicy, securityHeaders } from "#lib/kernel/headers.ts";
import { newId } from "#lib/kernel/ids.ts";
import { findOwnerActor } from "#lib/owners/sessions/session.ts";

const development = process.env.NODE_ENV !== "production";

/** A path without a page. Next writes the requested path into its answer, so every path without a page is rewritten to this one. */
const NOWHERE = "/_/nowhere";

/**
 * Whether there is no page for this visitor at this path. Only administrators may see that there is an administration: everyone else
 * gets the same answer, to the byte, as for any missing page. Each page still decides for itself whom it lets in.
 */
async function leadsNowhere({ nextUrl: { pathname }, headers }: NextRequest): Promise<boolean> {
  const section = sectionOf(pathname);
  if (section === "admin") return (await findOwnerActor(headers.get("cookie")))?.role !== "administrator";
  return section !== "" && !section.startsWith("_") && !SECTIONS.has(section);
}

/** As the router reads it: `/%61dmin` is `/admin`. The door lets no path through that can't be decoded. */
function sectionOf(pathname: string): string {
  const [, first = ""] = pathname.split("/", 2);
  return decodeURIComponent(first).split("/", 1)[0] ?? "";
}

/**
 * Gives every page its security headers and a request ID. The policy also goes to the renderer, which marks its scripts with the nonce in
 * it; before a built page is sent, hashes take the nonce's place (lib/boot/pages/hashed-scripts.ts). Nothing is authorised here: each page
 * does that for itself.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = pagePolicy([`'nonce-${nonce}'`, "'strict-dynamic'"], { development });
  const requestId = newId("req");

  const forwarded = new Headers(request.headers);
  forwarded.set("content-security-policy", policy);
  forwarded.set("x-request-id", requestId);
  const response = (await leadsNowhere(request))
    ? NextResponse.rewrite(new URL(NOWHERE + request.nextUrl.search, request.url), { request: { headers: forwarded } })
    : NextResponse.next({ request: { headers: forwarded } });

  response.headers.set("content-security-policy", policy);
  response.headers.set("x-request-id", requestId);
  for (const [name, value] of Object.entries(securityHeaders("page"))) response.headers.set(name, value);
  return response;
}

export const config = {
  // Each exception is anchored at its end: a path that only begins like one is a page.
  matcher: "/((?!api/v1/|api/auth/|_next/static/|_next/image(?:/|$)|icon\\.svg$).*)",
};
