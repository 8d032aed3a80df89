import type { CookiesOptions } from "next-auth";
import { isHttps } from "#lib/kernel/headers.ts";

/** Under HTTPS, the prefix makes browsers accept the cookie only from this exact host over HTTPS. */
function cookie(name: string, others: { maxAge?: number } = {}): CookiesOptions["sessionToken"] {
  // Restricted to HTTPS if the service uses it.
  const secure = isHttps();
  return {
    name: `${secure ? "__Host-" : ""}${name}`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure, ...others },
  };
}

/** The session's cookie: hidden from scripts, not sent with other sites' forms, and bound to HTTPS by its name. */
export function sessionCookie(): CookiesOptions["sessionToken"] {
  return cookie("next-auth.session-token");
}

const OAUTH_SECONDS = 900;

/** Every cookie that next-auth writes. */
export function signInCookies(): CookiesOptions {
  return {
    sessionToken: sessionCookie(),
    callbackUrl: cookie("next-auth.callback-url"),
    csrfToken: cookie("next-auth.csrf-token"),
    pkceCodeVerifier: cookie("next-auth.pkce.code_verifier", { maxAge: OAUTH_SECONDS }),
    state: cookie("next-auth.state", { maxAge: OAUTH_SECONDS }),
    nonce: cookie("next-auth.nonce", { maxAge: OAUTH_SECONDS }),
  };
}

/** Marks a browser as a known device of the accounts that signed in with it (see lib/owners/sign-in/known-device.ts). */
export function deviceCookie(): CookiesOptions["sessionToken"] {
  return cookie("guildhall.known-device");
}

/** A `Set-Cookie` value. @param maxAge in seconds; 0 removes the cookie */
export function writeCookie({ name, options }: CookiesOptions["sessionToken"], value: string, maxAge: number): string {
  const secure = options.secure ? "; Secure" : "";
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** The value of a cookie in a `Cookie` header. */
export function readCookie(header: string | null, name: string): string | undefined {
  for (const part of header?.split(";") ?? []) {
    const [key, ...value] = part.split("=");
    if (key?.trim() === name) return value.join("=").trim();
  }
  return undefined;
}

/** Clears cached pages and browser storage at sign-out. Cookies are removed individually, so that the device stays known. */
export const CLEAR_SITE_DATA = { "Clear-Site-Data": '"cache", "storage"' };

/** The `Set-Cookie` value that removes the session from the browser. */
export function sessionRemoval(): string {
  return writeCookie(sessionCookie(), "", 0);
}
