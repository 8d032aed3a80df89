import { ADVISORY_LOCKS } from "#lib/db/advisory-locks.ts";
import type { QueryFn } from "#lib/db/connection.ts";
import { env } from "#lib/kernel/env.ts";
import { equal } from "#sdk/bytes.ts";
import { checkpointText } from "#sdk/tlog/checkpoint.ts";
import { EMPTY_ROOT, type Hash } from "#sdk/tlog/merkle.ts";
import { formatVkey, type Signer, signNote } from "#sdk/tlog/note.ts";
import { inTransaction, query } from "./connection.ts";
import { readState, type SignedState, withState, writeState } from "./signed-state.ts";
import { openSigningKey } from "./signing-key.ts";
import { SigningRefused } from "./signing-setup.ts";
import { readTree, rootAt, type Tree } from "./tree.ts";

/** A checkpoint that has just been published. */
export type Signed = { tree: Tree; size: number; root: Hash; note: string };

type Known = { size: number; note: string; signedAt: Date } | undefined;

/**
 * Signs and publishes a checkpoint of the current log, if it has grown since the last one. The tiles are committed by then; what is
 * signed is written to disk before anyone can read the checkpoint. So a crash at any point leaves a log that can go on.
 * @returns undefined if there is nothing to sign, or another process is signing
 * @throws SigningRefused where a signature could begin a second history, or there is no key; the reason is recorded
 */
export async function signCheckpoint(now: Date): Promise<Signed | undefined> {
  const signed = await signWhenDue(now, 0);
  return signed === "early" ? undefined : signed;
}

/**
 * The same, but not sooner than this long after the last checkpoint, whichever process signed that.
 * @returns "early" if there is something to sign then
 */
export async function signWhenDue(now: Date, periodMs: number): Promise<Signed | "early" | undefined> {
  const tree = await readTree(query);
  if (!tree) return undefined;
  try {
    return await withState(tree, () => inTransaction((run) => signLocked(run, tree, now, periodMs)));
  } catch (error) {
    if (error instanceof SigningRefused) await recordRefusal(tree, error.message);
    throw error;
  }
}

async function signLocked(
  run: QueryFn,
  { id }: Tree,
  now: Date,
  periodMs: number,
): Promise<Signed | "early" | undefined> {
  const [lock] = await run<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.signLog}) AS taken`);
  const tree = lock?.taken ? await readTree(run) : undefined;
  if (tree?.id !== id) return undefined;
  const [known] = await run<NonNullable<Known>>(
    `SELECT size::float8 AS size, note, signed_at AS "signedAt" FROM log_checkpoints WHERE tree = $1`,
    [id],
  );
  const key = openSigningKey(tree, tree.vkey === null);
  if (tree.vkey !== null && tree.vkey !== formatVkey(key))
    throw new SigningRefused(
      "The signing key is not the key with which this log began. Restore that key, or start another log with log-restart.",
    );
  const state = readState(tree);
  const root = await extend(run, tree, known, state);
  if (known?.size === tree.size && state?.size === tree.size && tree.vkey !== null) {
    await run("UPDATE log_trees SET refusal = NULL WHERE id = $1 AND refusal IS NOT NULL", [id]);
    return undefined;
  }
  // A clock that was set back does not stop signing.
  const age = known && now.getTime() - known.signedAt.getTime();
  if (age !== undefined && age >= 0 && age < periodMs) return "early";
  const { origin, size } = tree;
  writeState(tree, { origin, size, root });
  const note = signNote(checkpointText({ origin, size, root }), key);
  await publish(run, tree, key, { size, note }, now);
  return { tree, size, root, note };
}

/**
 * The root at the present size, if the database continues what was signed.
 * @throws SigningRefused if it does not, or if nobody here knows what was signed
 */
async function extend(run: QueryFn, tree: Tree, known: Known, state: SignedState | undefined): Promise<Hash> {
  if (!state) {
    if (known || tree.vkey !== null)
      throw new SigningRefused(
        `The record of what this log signed last is missing here, but ${known?.size ?? 0} entries have been signed. Restore the data folder, or set LOG_STATE_DIR to the folder that all processes share.`,
      );
    return rootOf(run, tree.id, tree.size);
  }
  const { ahead } = state;
  if (ahead && env().logWitnesses.some(({ vkey }) => vkey === ahead.witness))
    throw new SigningRefused(
      `The witness ${ahead.witness.split("+")[0]} has cosigned ${ahead.size} entries of this log, more than were signed here. The database or the data folder is an old copy: restore the newer one, or start another log with log-restart. If it is the witness that is wrong, take it out of LOG_WITNESSES.`,
    );
  const isExtended = tree.size >= state.size && equal(await rootOf(run, tree.id, state.size), state.root);
  if (isExtended) return tree.size === state.size ? state.root : rootOf(run, tree.id, tree.size);
  throw new SigningRefused(
    `The database does not continue what this log signed: ${state.size} entries were signed, and the database has ${tree.size}${tree.size >= state.size ? " that differ from them" : ""}. Restore the newer database, or start another log with log-restart.`,
  );
}

function rootOf(run: QueryFn, tree: number, size: number): Promise<Hash> | Hash {
  return size === 0 ? EMPTY_ROOT : rootAt(run, tree, size);
}

async function publish(
  run: QueryFn,
  { id }: Tree,
  key: Signer,
  { size, note }: { size: number; note: string },
  now: Date,
) {
  await run(
    `INSERT INTO log_checkpoints (tree, size, note, signed_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tree) DO UPDATE SET size = excluded.size, note = excluded.note, signed_at = excluded.signed_at`,
    [id, size, note, now],
  );
  await run("UPDATE log_trees SET vkey = $2, refusal = NULL WHERE id = $1 AND (vkey IS NULL OR refusal IS NOT NULL)", [
    id,
    formatVkey(key),
  ]);
}

/** Adds cosignatures to a checkpoint, each once, unless a newer one was published meanwhile. */
export async function addCosignatures({ tree, size, note }: Signed, lines: string): Promise<void> {
  await query(
    `UPDATE log_checkpoints SET note = note || $3
     WHERE tree = $1 AND size = $2 AND starts_with(note, $4) AND position($3 IN note) = 0`,
    [tree.id, size, lines, note],
  );
}

/** Remembers that a witness has seen more than was signed here, and stops signing. */
export function recordAhead(tree: Tree, ahead: { witness: string; size: number }): Promise<void> {
  return withState(tree, async () => {
    const state = readState(tree);
    if (state && ahead.size > state.size) writeState(tree, { ...state, ahead });
  });
}

/** For `/readyz`, `/admin` and everyone else who asks why nothing is signed. */
async function recordRefusal({ id }: Tree, reason: string): Promise<void> {
  await query("UPDATE log_trees SET refusal = $2 WHERE id = $1 AND refusal IS DISTINCT FROM $2", [id, reason]);
}

/** The verifier key with which a log that was never signed will be signed. @throws SigningRefused */
export function prepareKey(tree: Tree): string {
  return formatVkey(openSigningKey(tree, true));
}
