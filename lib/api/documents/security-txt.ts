import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";

const VALID_DAYS = 180;
const DAY_SECONDS = 86_400;

/** Where to report a vulnerability (RFC 9116); undefined if the operator has set no contact. */
export function securityTxt(now: Date): string | undefined {
  const { baseUrl, securityContact } = env();
  if (!securityContact) return undefined;
  // Counted from the start of the day, so that the file changes once a day instead of with every request.
  const today = new Date(now.toISOString().slice(0, 10));
  return [
    `Contact: ${securityContact}`,
    `Expires: ${secondsAfter(today, VALID_DAYS * DAY_SECONDS).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    `Policy: ${baseUrl}/about#security`,
    "",
  ].join("\n");
}

/** The file, or 404 if there is none. */
export function answerSecurityTxt(): Response {
  const text = securityTxt(systemClock.now());
  return new Response(text ?? "This service has no security contact.\n", {
    status: text ? 200 : 404,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": text ? "public, max-age=3600" : "no-store",
    },
  });
}
