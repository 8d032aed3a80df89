import { z } from "zod";

const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

const TIMEOUT_MS = 10_000;

/** GitHub's answer to `/user/emails`: the primary address if GitHub has verified it, null otherwise. */
export function primaryVerified(answer: unknown): string | null {
  const emails = Emails.safeParse(answer);
  return emails.data?.find(({ primary, verified }) => primary && verified)?.email ?? null;
}

/**
 * Reads the account's verified primary address from GitHub, because the one in the public profile may be unverified.
 * @returns null without one, or when GitHub does not answer
 */
export async function readGitHubEmail(accessToken: string): Promise<string | null> {
  try {
    const response = await fetch("https://api.github.com/user/emails", {
      headers: { Authorization: `Bearer ${accessToken}`, Accept: "application/vnd.github+json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.ok ? primaryVerified(await response.json()) : null;
  } catch {
    return null;
  }
}

/** The address in a provider's profile if the provider says that it has verified it. */
export function verifiedEmail(profile: { email?: unknown; email_verified?: unknown } | undefined): string | null {
  return profile?.email_verified === true && typeof profile.email === "string" ? profile.email : null;
}
