import { hash } from "node:crypto";
import { z } from "zod";
import { prober } from "./domain/probing.ts";

// An agent's own A2A card, at its own host. What is found there is a fact about it and never decides anything.

const MOST_BYTES = 64 * 1024;
const MediaTypes = z.array(z.string());

/** What A2A 1.0 requires of a card. It may say more. */
const Card = z.object({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  supportedInterfaces: z
    .array(z.object({ url: z.string(), protocolBinding: z.string(), protocolVersion: z.string() }))
    .min(1),
  capabilities: z.object({}),
  defaultInputModes: MediaTypes,
  defaultOutputModes: MediaTypes,
  skills: z.array(z.object({ id: z.string(), name: z.string(), description: z.string(), tags: z.array(z.string()) })),
});

/** What one look at a card found. */
export type CardFinding = {
  /** `sha256:` and the digest of the bytes that were served; null if none could be read. */
  digest: string | null;
  valid: boolean;
};

function agentCardUrl(host: string): string {
  return `https://${host}/.well-known/agent-card.json`;
}

/** Reads the card of a host with the same precautions as its domain proof, at most 64 KiB of it. */
export async function readCard(host: string): Promise<CardFinding> {
  const read = await prober().read({ url: agentCardUrl(host), maxBytes: MOST_BYTES, accept: "application/json" });
  if (!read.ok) return { digest: null, valid: false };
  return { digest: `sha256:${hash("sha256", read.body, "hex")}`, valid: isCard(read.body) };
}

function isCard(body: Buffer): boolean {
  try {
    return Card.safeParse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))).success;
  } catch {
    return false;
  }
}
