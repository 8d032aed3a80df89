import type { Refusal } from "#components/form/refusal.tsx";
import { call, type Outcome } from "./call.ts";

// next-auth's own routes: a form that needs next-auth's CSRF token, which is fetched first.

async function send(path: string, fields: Record<string, string>): Promise<Outcome<{ url: string }>> {
  const token = await call<{ csrfToken: string }>("/api/auth/csrf");
  if (!token.ok) return token;
  const body = new URLSearchParams({ ...fields, csrfToken: token.body.csrfToken, json: "true" });
  return call(path, { body });
}

/**
 * Signs in with a password; the session comes as a cookie. The answer's `url` is the next page: `returnTo`, or the second step,
 * which leads on to `returnTo`.
 */
export async function signIn(email: string, password: string, returnTo: string): Promise<Outcome<{ url: string }>> {
  const outcome = await send("/api/auth/callback/credentials", { email, password, callbackUrl: returnTo });
  if (!outcome.ok) return { ok: false, refusal: withMessage(outcome.refusal) };
  const { pathname, search } = new URL(outcome.body.url, window.location.href);
  return { ok: true, body: { url: `${pathname}${search}` } };
}

/** Sends the browser to another service to sign in; that service sends it back to `returnTo`. */
export async function signInThrough(provider: string, returnTo: string): Promise<Outcome<unknown>> {
  const outcome = await send(`/api/auth/signin/${provider}`, { callbackUrl: returnTo });
  if (outcome.ok) window.location.assign(outcome.body.url);
  return outcome;
}

/** Ends this session. */
export function signOut(): Promise<Outcome<unknown>> {
  return send("/api/auth/signout", {});
}

/** next-auth answers a wrong password with a status and no message. */
function withMessage(refusal: Refusal): Refusal {
  if (refusal.status !== 401) return refusal;
  return { ...refusal, code: "invalid_credential", message: "The e-mail address or password is wrong." };
}
