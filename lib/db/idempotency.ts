import { hash } from "node:crypto";
import { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import type { Tx } from "./tx.ts";

/** One attempt of one actor at one operation, with the digest of what it asked for. */
export type Attempt = { actorId: string; operation: string; key: string; fingerprint: Buffer; at: Date };

export type Stored = { fingerprint: Uint8Array; status: number; body: string };

/** The digest of a validated input: its keys stand in the order of its schema. */
export function fingerprint(input: object): Buffer {
  return hash("sha256", JSON.stringify(input), "buffer");
}

/**
 * The stored answer of the same request, sent again.
 * @throws ApiError request_id_conflict when the key was used for another request
 */
export function replay(stored: Stored, attempt: Attempt): Reply<JsonText> {
  if (!attempt.fingerprint.equals(stored.fingerprint)) {
    throw new ApiError(
      "request_id_conflict",
      `"${attempt.key}" was used for a different request. Use a new one for a new request.`,
    );
  }
  return new Reply(stored.status, new JsonText(stored.body), { "Idempotent-Replayed": "true" });
}

/**
 * Does `work` once per attempt, in the caller's transaction, and keeps its answer (status and JSON text) for ever. A
 * second request with the same key waits for the first to commit, then gets its answer.
 */
export async function once(
  tx: Tx,
  attempt: Attempt,
  status: 200 | 201,
  work: () => Promise<string>,
): Promise<Reply<JsonText>> {
  const { actorId, operation, key, at } = attempt;
  const mine = await tx.$executeRaw`
    INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
    VALUES (${actorId}, ${operation}, ${key}, ${attempt.fingerprint}, ${status}, '', ${at}) ON CONFLICT DO NOTHING`;
  const where = { actorId_operation_key: { actorId, operation, key } };
  if (mine === 0) return replay(await tx.idempotencyKey.findUniqueOrThrow({ where }), attempt);
  const body = await work();
  await tx.idempotencyKey.update({ where, data: { body } });
  return new Reply(status, new JsonText(body));
}
