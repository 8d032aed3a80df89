import { env } from "./env.ts";

const ALWAYS = { "X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin-when-cross-origin" };
const UNDER_HTTPS = { ...ALWAYS, "Strict-Transport-Security": "max-age=31536000" };

/** What every answer carries, a page's, the interface's or a file's. Over plain HTTP nobody is bound to HTTPS. */
export function commonHeaders(): Readonly<Record<string, string>> {
  return env().baseUrl.startsWith("https://") ? UNDER_HTTPS : ALWAYS;
}
