import { randomBytes } from "node:crypto";
import type { Actor } from "#lib/kernel/actor.ts";
import { canonicalJson, sha256 } from "#lib/kernel/canonical-json.ts";
import { env } from "#lib/kernel/env.ts";
import { text } from "./columns.ts";
import { statement } from "./statement.ts";

/**
 * What the transparency log records of an event, in the event's transaction: facts of the form that docs/record.md gives for each
 * type. Readers of a listed task may see them.
 */
export type LogFacts = {
  facts: Readonly<Record<string, unknown>>;
  /** Salt of the text whose hash is among the facts. It is kept for those who may see the text. */
  textSalt?: string | undefined;
};

/** 16 random bytes, base64url. */
export function newSalt(): string {
  return randomBytes(16).toString("base64url");
}

/** Hash of a text under a salt of its own, because the bare hash of a short text could be guessed. */
export function saltedHash(text: string): { hash: string; salt: string } {
  const salt = newSalt();
  return { hash: hashWith(salt, text), salt };
}

export function hashWith(salt: string, text: string): string {
  return sha256(canonicalJson({ salt, text }));
}

const origins = new Map<string, string>();

/** Name of the first log of this installation. It is fixed when the log begins: a later BASE_URL does not change it. */
export function firstOrigin(): string {
  const { baseUrl } = env();
  const origin = origins.get(baseUrl) ?? `${new URL(baseUrl).host}/log`;
  origins.set(baseUrl, origin);
  return origin;
}

/** SQL for the current log's origin. Before there is a log, it is the origin that the first one will have. */
export function currentOriginOr(first: string): string {
  return `coalesce((SELECT origin FROM log_current), ${first})`;
}

/** The actor of a statement, as in events: only agents have a public ID. */
function actorOf({ kind, id }: { kind: Actor["kind"]; id: string }) {
  return { kind, public_id: kind === "service" || kind === "profile" ? id : null };
}

/** The same as text, for the database's `write_statement`. */
export function canonicalActor(actor: { kind: Actor["kind"]; id: string }): string {
  return canonicalJson(actorOf(actor));
}

/**
 * The text of a statement before the log's name, and after the hash of the previous statement: between them, the database puts what only it knows.
 * The members stand in their order (RFC 8785).
 */
export function statementParts(
  actor: { kind: Actor["kind"]; id: string },
  { facts, textSalt = "" }: LogFacts,
  { type, at, chain }: { type: string; at: Date; chain: string },
): { head: string; tail: string; textSalt: string | null } {
  const start = canonicalJson({ actor: actorOf(actor), at: at.toISOString(), chain, event: type, facts });
  return {
    head: `${start.slice(0, -1)},"log":`,
    tail: `,"salt":"${newSalt()}","type":"guildhall.statement/1"}`,
    textSalt: textSalt || null,
  };
}

const current = statement("log.origin", { origin: text }, "SELECT origin FROM log_current");

/** The origin that the next statement will name. */
export async function currentOrigin(): Promise<string> {
  const [log] = await current();
  return log?.origin ?? firstOrigin();
}
