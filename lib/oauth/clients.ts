import { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import { prober } from "#lib/identity/domain/probing.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { isLoopback } from "#lib/kernel/env/local-domains.ts";
import { line } from "#lib/kernel/fields.ts";
import { newId } from "#lib/kernel/ids.ts";

// Programs that may ask for consent. All of them are public clients: none has a secret, and PKCE binds each code to its asker.

const MOST_REDIRECTS = 10;

const RedirectUri = z
  .string()
  .max(500)
  .refine(isRedirectUri, "must be an https URL, or an http URL of this machine, without a fragment");

/** What a program may say about itself. Everything else that it says is ignored. */
const Metadata = z.object({
  // Optional in RFC 7591.
  client_name: line(100).default("A program without a name"),
  redirect_uris: z.array(RedirectUri).min(1).max(MOST_REDIRECTS),
  client_uri: z.string().max(500).startsWith("https://").optional(),
  token_endpoint_auth_method: z.literal("none", "must be none: clients are public").optional(),
});

type ClientMetadata = ReturnType<typeof asMetadata>;

/** The metadata as oidc-provider takes them. */
function asMetadata(id: string, sent: z.output<typeof Metadata>) {
  const isNative = sent.redirect_uris.some(isOnThisMachine);
  return {
    client_id: id,
    client_name: sent.client_name,
    redirect_uris: sent.redirect_uris,
    ...(sent.client_uri ? { client_uri: sent.client_uri } : {}),
    // Only then are ports of loopback addresses free (RFC 8252, 7.3).
    application_type: isNative ? "native" : "web",
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
}

/** @throws z.ZodError */
function checkMetadata(id: string, sent: unknown): ClientMetadata {
  return asMetadata(id, Metadata.parse(sent));
}

function isRedirectUri(value: string): boolean {
  if (!URL.canParse(value) || value.includes("#")) return false;
  const { protocol, hostname, username, password } = new URL(value);
  if (username || password) return false;
  return isLoopback(hostname) ? protocol === "http:" : protocol === "https:";
}

/** Whether a code sent there reaches whatever program listens on the owner's machine. */
export function isOnThisMachine(redirectUri: string): boolean {
  return isLoopback(new URL(redirectUri).hostname);
}

/** A registered client; those with a document of their own are found through `fetchDocument`. */
export async function findClient(id: string): Promise<ClientMetadata | undefined> {
  const row = await prisma().oauthClient.findUnique({ where: { id } });
  return row ? (row.metadata as ClientMetadata) : undefined;
}

/** Registers a program. @throws z.ZodError */
export async function registerClient(sent: unknown, registeredBy: "itself" | "administrator") {
  const metadata = checkMetadata(newId("cli"), sent);
  const createdAt = systemClock.now();
  const data = { id: metadata.client_id, registeredBy, metadata: metadata as Prisma.InputJsonObject, createdAt };
  await prisma().oauthClient.create({ data });
  return { ...metadata, client_id_issued_at: Math.floor(createdAt.getTime() / 1_000) };
}

const MOST_BYTES = 64 * 1024;
/** oidc-provider looks for a client again to report that there is none: the other side is not asked twice for that. */
const FAILED_MS = 1_000;
const MOST_FAILED = 1_000;
const failures = new Map<string, number>();

/** @throws if the document cannot be had, or must not be used */
export async function fetchDocument(url: string): Promise<Response> {
  const now = performance.now();
  if (now - (failures.get(url) ?? Number.NEGATIVE_INFINITY) < FAILED_MS) throw new Error(`${url} has just failed.`);
  try {
    return await readDocument(url);
  } catch (error) {
    if (failures.size >= MOST_FAILED) failures.clear();
    failures.set(url, performance.now());
    throw error;
  }
}

/**
 * Fetches a client ID metadata document as a domain proof is fetched: from public addresses, without redirects, within 10 seconds, at
 * most 64 KiB. What it may not say is left out before oidc-provider reads it.
 */
async function readDocument(url: string): Promise<Response> {
  const read = await prober().read({ url, maxBytes: MOST_BYTES, accept: "application/json" });
  if (!read.ok) throw new Error(read.detail);
  const sent = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(read.body)) as { client_id?: unknown };
  // The document must name itself, to the letter.
  if (sent.client_id !== url) throw new Error(`${url} names another client_id.`);
  const headers = new Headers({ "Content-Type": "application/json" });
  for (const name of ["cache-control", "expires"]) {
    const value = read.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  return new Response(JSON.stringify(checkMetadata(url, sent)), { headers });
}

/** Who vouches for a program's name: the host of its document, the administrator, or nobody. */
export type Voucher = { host: string } | "administrator" | "nobody";

export async function voucherOf(clientId: string): Promise<Voucher> {
  if (clientId.startsWith("https://")) return { host: new URL(clientId).hostname };
  const row = await prisma().oauthClient.findUnique({ where: { id: clientId }, select: { registeredBy: true } });
  return row?.registeredBy === "administrator" ? "administrator" : "nobody";
}
