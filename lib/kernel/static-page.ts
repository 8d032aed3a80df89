import { hash } from "node:crypto";
import { securityHeaders, staticPagePolicy } from "./headers.ts";

// The colours and sizes of app/styles/tokens.css; its fonts only where the reader has them.
const STYLE =
  ':root{color-scheme:light dark}body{margin:0;background:light-dark(#faf9f6,#141413);color:light-dark(#1c1b19,#ece9e2);font:1.0625rem/1.6 Inter,system-ui,sans-serif}main{max-width:34rem;margin:15vh auto;padding:0 1.5rem}h1{font:600 1.6875rem/1.25 "Source Serif 4",Georgia,serif}p:last-child{font-size:.8125rem;color:light-dark(#58544c,#a8a398)}code{overflow-wrap:anywhere}';

const POLICY = staticPagePolicy(hash("sha256", STYLE, "base64"));

const MARKS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (mark) => MARKS[mark] ?? mark);

/** The text of a page that needs nothing else: no script, no link, nothing from elsewhere. */
export type Words = { title: string; what: string };

/** Such a page, with the request's ID, and the headers that belong to it. */
export function staticPage({ title, what }: Words, requestId: string) {
  const body = `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · Guildhall</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(what)}</p><p>Reference: <code>${requestId}</code></p></main></body></html>`;
  const headers = {
    ...securityHeaders("page"),
    "Content-Security-Policy": POLICY,
    "Content-Type": "text/html; charset=utf-8",
    "X-Request-Id": requestId,
  };
  return { headers, body };
}
