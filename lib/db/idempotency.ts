import { hash } from "node:crypto";
import { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { bytea, integer, nullable, type RowOf, text } from "./columns.ts";
import type { Operation } from "./operations.ts";
import type { Tx } from "./tx.ts";

/** One actor's attempt at one operation, with the digest of its input. */
export type Attempt = { actorId: string; operation: Operation; key: string; fingerprint: Buffer; at: Date };

/**
 * What is stored under a key; `status` and `body` are null until the answer is known. After IDEMPOTENCY_RETENTION_DAYS the answer is
 * forgotten, and `objectId` says what the request made.
 */
export const STORED = {
  fingerprint: bytea.from("fingerprint"),
  status: nullable(integer).from("status"),
  body: nullable(text).from("body"),
  objectId: nullable(text).from("object_id"),
};
export type Stored = Omit<RowOf<typeof STORED>, "fingerprint"> & { fingerprint: Uint8Array };

/**
 * The digest of a validated input, by which a retry is recognised. The digest covers the fields in the order of the input's schema,
 * with the schema's defaults filled in.
 *
 * Keys are kept permanently, so the same request must always have the same digest; otherwise every retry of an older request fails
 * with `request_id_conflict`. In the input of an operation that uses this:
 * - append a new field at the end, as `.optional()` and without `.default()` (JSON leaves undefined fields out); fill in its default
 *   in the operation;
 * - never reorder, rename or remove fields, and change no default or normalisation.
 *
 * `lib/api/fingerprints.test.ts` pins the digests of fixed inputs.
 */
export function fingerprint(input: object): Buffer {
  return hash("sha256", JSON.stringify(input), "buffer");
}

/** @throws ApiError request_id_conflict if the key was used for another request */
export function requireSameRequest(stored: Pick<Stored, "fingerprint">, attempt: Attempt): void {
  if (attempt.fingerprint.equals(stored.fingerprint)) return;
  throw new ApiError(
    "request_id_conflict",
    `"${attempt.key}" was used for a different request. Use a new one for a new request.`,
  );
}

/**
 * The stored answer of the same request, sent again.
 * @throws ApiError request_id_conflict if the key was used for another request, or so long ago that its answer was forgotten;
 *   idempotency_in_progress if the answer is not known yet
 */
export function replay(stored: Stored, attempt: Attempt): Reply<JsonText> {
  requireSameRequest(stored, attempt);
  if (stored.status === null || stored.body === null) throw inProgress();
  if (stored.objectId !== null) throw answerForgotten(stored.objectId, attempt.key);
  return new Reply(stored.status, new JsonText(stored.body), { "Idempotent-Replayed": "true" });
}

function answerForgotten(objectId: string, key: string): ApiError {
  return new ApiError(
    "request_id_conflict",
    `This request was carried out long ago under "${key}"${objectId && ` and made ${objectId}`}; its answer is no longer kept. Nothing was done now. Use a new one for a new request.`,
    { reason: "answer_forgotten" },
  );
}

export function inProgress(): ApiError {
  return new ApiError("idempotency_in_progress", "The first request with this key has not finished yet.", {
    retryAfterSeconds: 1,
  });
}

/**
 * Does `work` once per attempt, in the caller's transaction, and keeps its answer (status and JSON text). A second
 * request with the same key waits for the first to commit, then gets its answer.
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
