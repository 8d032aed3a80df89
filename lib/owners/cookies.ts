import type { CookiesOptions } from "next-auth";
import { env } from "#lib/kernel/env.ts";

/** Cookies go over HTTPS alone where the service does. */
export function isSecure(): boolean {
  return env().baseUrl.startsWith("https://");
}

/** The session's cookie: out of scripts' reach, not sent along by other sites' forms, and bound to HTTPS by its name. */
export function sessionCookie(): CookiesOptions["sessionToken"] {
  const secure = isSecure();
  return {
    name: `${secure ? "__Secure-" : ""}next-auth.session-token`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure },
  };
}
