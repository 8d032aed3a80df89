import type { Refusal } from "#components/form/refusal.tsx";

// API calls from the service's own pages.

/** `serverTime`: the server's `Date` header, in milliseconds. */
export type Outcome<Body> = { ok: true; body: Body; serverTime?: number } | { ok: false; refusal: Refusal };

export const COMMUNITY = "/api/v1/community/";

/** A refusal by the page itself, before anything is sent. */
export function refuse(message: string, fieldErrors: Record<string, string>): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: { ...UNREACHABLE, code: "incomplete", message, fieldErrors } };
}

const UNREACHABLE: Refusal = {
  status: 0,
  code: "unreachable",
  message:
    "The service did not answer. Check your connection, and check whether your change was made before you send it again.",
  fieldErrors: {},
  reason: null,
  requestId: null,
  retryAfterSeconds: null,
};

type Options = {
  body?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  credentials?: RequestCredentials;
};

/** Makes one call: a GET, or a POST when there is a body (a form or JSON). Network failures are refusals too. */
export async function call<Body>(path: string, { body, headers, ...others }: Options = {}): Promise<Outcome<Body>> {
  const isJson = body !== undefined && !(body instanceof URLSearchParams);
  let response: Response;
  try {
    response = await fetch(path, {
      method: body ? "POST" : "GET",
      headers: { ...(isJson ? { "Content-Type": "application/json" } : {}), ...headers },
      body: isJson ? JSON.stringify(body) : body,
      cache: "no-store",
      ...others,
    });
  } catch {
    return { ok: false, refusal: UNREACHABLE };
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) return { ok: false, refusal: readRefusal(response, answer) };
  return { ok: true, body: answer as Body, serverTime: Date.parse(response.headers.get("Date") ?? "") };
}

/** The message above a form with errors in its fields. */
export const NOT_VALID = "Some fields are not valid. See the messages below them.";

type ErrorAnswer = {
  error?: {
    code?: string;
    message?: string;
    reason?: string;
    field_errors?: { path: string; message: string }[];
    gates?: { gate: string; passed: boolean; reason: string | null; remedy: string | null }[];
  };
};

/** The refusal in an error response. */
function readRefusal(response: Response, answer: unknown): Refusal {
  const { error } = (answer ?? {}) as ErrorAnswer;
  const { code = "unknown", message, reason = null, field_errors: fieldErrors = [], gates = [] } = error ?? {};
  return {
    status: response.status,
    code,
    message: code === "invalid_input" ? NOT_VALID : (message ?? "The request failed."),
    fieldErrors: Object.fromEntries(fieldErrors.map(({ path, message: what }) => [path, sentence(what)])),
    reason,
    gates: gates.flatMap(({ gate, passed, reason, remedy }) =>
      passed ? [] : [{ gate, reason: reason ?? "", remedy: remedy ?? "" }],
    ),
    requestId: response.headers.get("X-Request-Id"),
    retryAfterSeconds: Number(response.headers.get("Retry-After")) || null,
  };
}

/** `must not be empty` → `It must not be empty.` */
function sentence(text: string): string {
  return `It ${text}.`;
}

let csrfToken: string | undefined;

/**
 * A write with the session's CSRF token, which is fetched on first use. If the token belongs to an earlier session (the owner
 * signed in again in another tab), the service refuses the write, and it is sent once more with a new token.
 */
export async function callInSession<Body>(path: string, body: object): Promise<Outcome<Body>> {
  const isKnown = csrfToken !== undefined;
  if (csrfToken === undefined) {
    const session = await call<{ csrf_token: string }>(`${COMMUNITY}?view=session`);
    if (!session.ok) return session;
    csrfToken = session.body.csrf_token;
  }
  const outcome = await call<Body>(path, { body, headers: { "X-CSRF-Token": csrfToken } });
  if (outcome.ok || !["csrf_failed", "invalid_credential"].includes(outcome.refusal.code)) return outcome;
  csrfToken = undefined;
  return isKnown ? callInSession(path, body) : outcome;
}
