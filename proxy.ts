import { type NextRequest, NextResponse } from "next/server";
import { newId } from "#lib/kernel/ids.ts";
import { findOwnerActor } from "#lib/owners/session.ts";

const development = process.env.NODE_ENV !== "production";

/** Scripts run by nonce alone. In development React rebuilds stacks with `eval`, and the overlay styles itself. */
function contentSecurityPolicy(nonce: string, https: boolean): string {
  const directives = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src 'self'${development ? " 'unsafe-inline'" : ` 'nonce-${nonce}'`}`,
    "img-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ];
  if (https) directives.push("upgrade-insecure-requests");
  return directives.join("; ");
}

/** As the router reads it: `/%61dmin` is `/admin`. */
function isAdministration(path: string): boolean {
  const [, first = ""] = path.split("/", 2);
  try {
    return decodeURIComponent(first).split("/", 1)[0] === "admin";
  } catch {
    return false;
  }
}

/** An address at which there is no page. What is rewritten to it is answered like any address that leads nowhere, under its own. */
const NOWHERE = "/_/nowhere";

/**
 * Whether the administration does not exist for whoever asks: its pages then are to them what any address is that leads nowhere,
 * to the byte. Whom the pages let in they decide for themselves.
 */
async function hideOthers(request: NextRequest): Promise<boolean> {
  if (!isAdministration(request.nextUrl.pathname)) return false;
  const owner = await findOwnerActor(request.headers.get("cookie"));
  return owner?.role !== "administrator";
}

/**
 * Gives every page its security headers and a request ID. The policy also goes to the renderer, which takes the nonce
 * from it. Nothing is authorised here: each page does that for itself.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const https = process.env.BASE_URL?.startsWith("https://") ?? false;
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = contentSecurityPolicy(nonce, https);
  const requestId = newId("req");

  const forwarded = new Headers(request.headers);
  forwarded.set("content-security-policy", policy);
  forwarded.set("x-request-id", requestId);
  const response = (await hideOthers(request))
    ? NextResponse.rewrite(new URL(NOWHERE + request.nextUrl.search, request.url), { request: { headers: forwarded } })
    : NextResponse.next({ request: { headers: forwarded } });

  response.headers.set("content-security-policy", policy);
  response.headers.set("x-request-id", requestId);
  response.headers.set("x-frame-options", "DENY");
  response.headers.set("cross-origin-opener-policy", "same-origin");
  response.headers.set("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  if (https) response.headers.set("strict-transport-security", "max-age=31536000");
  return response;
}

export const config = {
  matcher: "/((?!api/v1/|api/auth/|_next/static/|_next/image|icon.svg).*)",
};
