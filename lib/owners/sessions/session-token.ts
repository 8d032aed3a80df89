import { decode, encode } from "next-auth/jwt";
import { env } from "#lib/kernel/env.ts";
import { authSecrets, keysFor } from "#lib/kernel/keys.ts";
import { sessionCookie, writeCookie } from "./cookies.ts";

/** The encrypted content of the cookie: the session's ID, and nothing about the person. */
type Payload = { sid: string };

/** The cookie's value for a session. */
export function writeSessionToken(sid: string): Promise<string> {
  const payload: Payload = { sid };
  return encode({ token: payload, secret: cookieSecret(), maxAge: env().sessionTtlSeconds });
}

/** The `Set-Cookie` value that gives a session to the browser, where next-auth doesn't write it. */
export async function sessionSetCookie(sid: string): Promise<string> {
  return writeCookie(sessionCookie(), await writeSessionToken(sid), env().sessionTtlSeconds);
}

/** The session ID in a cookie's value; undefined if we did not write it or it has expired. */
export async function readSessionToken(token: string): Promise<string | undefined> {
  for (const secret of acceptedCookieSecrets()) {
    const payload = await decode({ token, secret }).catch(() => null);
    if (typeof payload?.sid === "string") return payload.sid;
  }
  return undefined;
}

/** The secret that next-auth derives its cookie keys from. */
export function cookieSecret(): string {
  return keysFor("session cookie")[0].bytes.toString("base64url");
}

/** The current one, those of previous secrets, and the secrets themselves, for sessions from before keys were derived. */
function acceptedCookieSecrets(): string[] {
  return [...keysFor("session cookie").map(({ bytes }) => bytes.toString("base64url")), ...authSecrets()];
}
