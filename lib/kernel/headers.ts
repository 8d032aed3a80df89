import { env } from "./env.ts";

/** What an answer is: a page, data (API answers and sign-in), or anything else, such as a file or a redirect. */
type AnswerKind = "page" | "data" | "file";

// Every security header of the service is set here. A page also has a Content-Security-Policy of its own (see below).
const EVERY = { "X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin-when-cross-origin" };
const HTTPS = { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" };
const BY_KIND: Record<AnswerKind, Record<string, string>> = {
  page: {
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  },
  // Opened as a document, data runs, loads and frames nothing, and other sites cannot embed it.
  data: {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
  },
  file: {},
};

/** The security headers of an answer. HSTS is sent only where the service is reached over HTTPS. */
export function securityHeaders(kind: AnswerKind): Record<string, string> {
  return { ...EVERY, ...(isHttps() ? HTTPS : {}), ...BY_KIND[kind] };
}

/**
 * The Content-Security-Policy of a rendered page.
 * @param scripts which scripts run, as sources of `script-src`
 * @param development React then rebuilds stacks with `eval`, and Next's overlay adds styles of its own
 */
export function pagePolicy(scripts: readonly string[], { development = false } = {}): string {
  const sources = [...scripts, ...(development ? ["'unsafe-eval'"] : [])];
  return [
    "default-src 'none'",
    `script-src ${sources.length > 0 ? sources.join(" ") : "'none'"}`,
    `style-src 'self'${development ? " 'unsafe-inline'" : ""}`,
    // blob: for previews of files, which the browser has decoded as pictures.
    "img-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self'${development ? " ws:" : ""}`,
    // The service worker that shows notifications.
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    ...(isHttps() ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

/** The Content-Security-Policy of a static page whose only resource is one inline style, by that style's SHA-256 in base64. */
export function staticPagePolicy(styleHash: string): string {
  return `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

export function isHttps(): boolean {
  return env().baseUrl.startsWith("https://");
}
