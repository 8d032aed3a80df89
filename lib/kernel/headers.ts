import { env } from "./env.ts";

// The security headers of every answer, except a page's Content-Security-Policy: proxy.ts makes one for each page.

const ALWAYS = { "X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin-when-cross-origin" };
const UNDER_HTTPS = { ...ALWAYS, "Strict-Transport-Security": "max-age=31536000; includeSubDomains" };

/** What every answer carries, a page's, the interface's or a file's. Over plain HTTP nobody is bound to HTTPS. */
export function commonHeaders(): Readonly<Record<string, string>> {
  return env().baseUrl.startsWith("https://") ? UNDER_HTTPS : ALWAYS;
}

/** API answers are data: opened as a document, they run, load and frame nothing, and other sites cannot embed them. */
export const DATA_HEADERS = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

/** What pages carry in addition to their own policy. */
export const PAGE_HEADERS = {
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
} as const;
