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
function newSalt(): string {
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

/** The actor of a statement, as in events: only agents have a public ID. */
function actorOf({ kind, id }: { kind: Actor["kind"]; id: string }) {
  return { kind, public_id: kind === "service" || kind === "profile" ? id : null };
}

/**
 * A statement is canonical JSON (RFC 8785). This is its text before the log's name and after the hash of the statement before: what is
 * between them only the database knows (`stated`).
 */
export function statementParts(
  actor: { kind: Actor["kind"]; id: string },
  { facts, textSalt = "" }: LogFacts,
  { type, at, chain }: { type: string; at: Date; chain: string },
): { head: string; tail: string; textSalt: string | null } {
  const start = canonicalJson({ actor: actorOf(actor), at: at.toISOString(), chain, event: type, facts });
  return { head: `${start.slice(0, -1)},"log":`, tail: newTail(), textSalt: textSalt || null };
}

/** The end of a statement, which has a salt of its own. */
export function newTail(): string {
  return `,"salt":"${newSalt()}","type":"guildhall.statement/1"}`;
}

/**
 * The part of a WITH that writes statements, `stated`. Every statement is put together here. The transaction of the caller holds a lock on
 * the chain's task or identity; the index on chain and number is the guard behind it. A task from before the log has no chain, and gets
 * none.
 * @param source relation with a row for each statement, and at most one for each chain: seq (of the event), chain, event (its type), head,
 *   tail, text_salt and first_origin (the log's name if there is no log yet)
 */
export function stated(source: string): string {
  // Without OFFSET 0, the text would be put together twice.
  return `stated AS (
      INSERT INTO log_statements (event_seq, chain, n, hash, statement, text_salt)
      SELECT seq, chain, n, sha256(convert_to(statement, 'UTF8')), statement, text_salt
      FROM (
        SELECT seq, chain, text_salt, coalesce(last.n, 0) + 1 AS n,
          head || to_json(coalesce((SELECT origin FROM log_current), first_origin))::text || ',"n":' || coalesce(last.n, 0) + 1
            || ',"prev":' || coalesce('"sha256:' || encode(last.hash, 'hex') || '"', 'null') || tail AS statement
        FROM ${source} AS given LEFT JOIN LATERAL (
          SELECT n, hash FROM log_statements WHERE log_statements.chain = given.chain ORDER BY n DESC LIMIT 1
        ) AS last ON true
        WHERE last.n IS NOT NULL OR event = 'task.created' OR NOT starts_with(chain, 'tsk_')
        OFFSET 0
      ) AS composed
      RETURNING n
    )`;
}

const current = statement("log.origin", { origin: text }, "SELECT origin FROM log_current");

/** The origin that the next statement will name. */
export async function currentOrigin(): Promise<string> {
  const [log] = await current();
  return log?.origin ?? firstOrigin();
}
