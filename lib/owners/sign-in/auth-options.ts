import type { AuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import GitHubProvider from "next-auth/providers/github";
import GoogleProvider from "next-auth/providers/google";
import type { UserinfoEndpointHandler } from "next-auth/providers/oauth";
import type { Client, Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { isHttps } from "#lib/kernel/headers.ts";
import { log } from "#lib/kernel/log.ts";
import { signInCookies } from "../sessions/cookies.ts";
import { cookieSecret, readSessionToken, writeSessionToken } from "../sessions/session-token.ts";
import type { StartedSession } from "../sessions/start-session.ts";
import { externalSignIn } from "./external-sign-in.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";
import { readGitHubEmail, verifiedEmail } from "./verified-email.ts";

/** One request to `/api/auth/`. */
export type Visit = {
  ctx: Context & { client: Client };
  /** The session that it opened. */
  started?: StartedSession;
  /** Why it was refused, which next-auth cannot express. */
  refusal?: unknown;
};

/**
 * How next-auth signs people in. It only encrypts the cookie and speaks OAuth. The cookie holds a session's ID; whether the session is
 * live is read from the database on every request.
 */
export function authOptions(visit: Visit): AuthOptions {
  async function open(how: () => Promise<StartedSession>): Promise<boolean> {
    try {
      visit.started = await how();
      return true;
    } catch (error) {
      visit.refusal = error;
      return false;
    }
  }

  const { sessionTtlSeconds: maxAge, github, google } = env();
  return {
    secret: cookieSecret(),
    session: { strategy: "jwt", maxAge },
    jwt: {
      maxAge,
      encode: ({ token }) => writeSessionToken(String(token?.sid)),
      decode: async ({ token }) => {
        const sid = token && (await readSessionToken(token));
        return sid ? { sid } : null;
      },
    },
    useSecureCookies: isHttps(),
    cookies: signInCookies(),
    pages: { signIn: "/sign-in", signOut: "/workspace", error: "/sign-in" },
    providers: [
      callable(CredentialsProvider)({
        credentials: { email: { label: "E-mail", type: "email" }, password: { label: "Password", type: "password" } },
        async authorize(credentials) {
          const isIn = await open(() =>
            signIn(visit.ctx, { email: textOf(credentials?.email), password: textOf(credentials?.password) }),
          );
          // next-auth needs a user here, but the session already names the owner.
          return isIn ? { id: "" } : null;
        },
      }),
      ...(github ? [callable(GitHubProvider)({ ...github, userinfo: GITHUB_USERINFO })] : []),
      ...(google ? [callable(GoogleProvider)(google)] : []),
    ],
    callbacks: {
      async signIn({ user, account, profile }) {
        if (account?.provider !== "github" && account?.provider !== "google") return visit.started !== undefined;
        const { provider, providerAccountId: subject } = account;
        const email = verifiedEmail(profile);
        const isIn = await open(() => externalSignIn(visit.ctx, { provider, subject, email, name: user.name }));
        return isIn || `/sign-in?error=${visit.refusal instanceof ApiError ? visit.refusal.code : "internal"}`;
      },
      jwt: ({ token }) => (visit.started ? { sid: visit.started.sid } : token),
    },
    events: {
      async signOut({ token }) {
        try {
          if (typeof token?.sid === "string") await signOut(visit.ctx, token.sid);
        } catch (error) {
          visit.refusal = error;
        }
      },
    },
    logger: {
      error: (code) => log().warn({ request_id: visit.ctx.requestId, code }, "sign-in failed"),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

/** next-auth passes on what it received, which may be any JSON. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** In Node, unlike in a bundle, the default export of these CommonJS modules is one level deeper. */
function callable<Provider extends object>(module: Provider | { default: Provider }): Provider {
  return "default" in module ? module.default : module;
}

/** GitHub's profile with its verified primary address, in the same fields as Google's. */
const GITHUB_USERINFO: UserinfoEndpointHandler = {
  url: "https://api.github.com/user",
  async request({ client, tokens }) {
    const accessToken = tokens.access_token ?? "";
    const [profile, email] = await Promise.all([client.userinfo(accessToken), readGitHubEmail(accessToken)]);
    return { ...profile, email: email ?? undefined, email_verified: email !== null };
  },
};
