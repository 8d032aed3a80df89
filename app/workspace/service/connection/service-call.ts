import { call, type Outcome, refuse } from "../../../browser/call.ts";
import { credentials, disconnect } from "./connection.ts";

// API calls as the connected identity.

type Query = Record<string, string | number | null | undefined>;

/** A GET as the connected identity. `path` is relative to `/api/v1/`. */
export function read<Body>(path: string, query: Query = {}): Promise<Outcome<Body>> {
  return send(path, (publicId) => ({ query: { public_id: publicId, ...query } }));
}

/** A GET of public data, without a credential. */
export function readPublic<Body>(path: string, query: Query = {}): Promise<Outcome<Body>> {
  return call<Body>(address(path, query), { credentials: "omit" });
}

/** A POST as the connected identity. Fields that are undefined are not sent. */
export function write<Body>(
  path: string,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Outcome<Body>> {
  return send(path, (publicId) => ({ body: { public_id: publicId, ...body }, headers }));
}

type Sent = { query?: Query; body?: object; headers?: Record<string, string> };

async function send<Body>(path: string, about: (publicId: string) => Sent): Promise<Outcome<Body>> {
  const held = credentials();
  if (!held) return refuse("This tab is disconnected, so nothing was sent. Connect again.", {});
  const { query = {}, body, headers } = about(held.publicId);
  const outcome = await call<Body>(address(path, query), {
    body,
    headers: { ...headers, Authorization: held.authorization },
    signal: held.signal,
    // The token identifies the caller, so no cookies are sent.
    credentials: "omit",
  });
  if (!outcome.ok && outcome.refusal.code === "invalid_credential") disconnect("refused");
  return outcome;
}

function address(path: string, query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  }
  return params.size > 0 ? `/api/v1/${path}?${params}` : `/api/v1/${path}`;
}
