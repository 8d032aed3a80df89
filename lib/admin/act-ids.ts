import type { Tx } from "#lib/db/tx.ts";
import { canonicalJson } from "#lib/kernel/canonical-json.ts";
import type { Context } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";

/** An act of an administrator that has an ID of its own. */
export type IdentifiedAct = {
  /** `act_…`; undefined if the administrator gave none: then the act is not recognised when it comes again. */
  actId: string | undefined;
  kind: "resolve" | "complete" | "cancel_transfer" | "refund" | "reverse_transfer" | "send_transfer";
  subjectId: string;
  /** What was asked for, apart from the reason. */
  asked?: Record<string, string | number | boolean | null>;
};

/** What a preview says about an act that was carried out before. */
export const DONE_BEFORE = ["This has already been done. Nothing changes."];

const usedForAnother = () => stateConflict("This act ID belongs to a different act. Use a new one.");

/**
 * Whether the same act was carried out before under its ID. The caller holds the lock of the subject's task.
 * @throws ApiError state_conflict if the ID was used for another act
 */
export async function isRepeated(tx: Tx, { actId, kind, subjectId, asked = {} }: IdentifiedAct): Promise<boolean> {
  const known = actId ? await tx.administratorAct.findUnique({ where: { actId } }) : null;
  if (!known) return false;
  if (known.kind !== kind || known.subjectId !== subjectId || known.asked !== canonicalJson(asked))
    throw usedForAnother();
  return true;
}

/**
 * Takes the ID for this act, in the transaction that carries it out.
 * @throws ApiError state_conflict if another act, which is carried out at the same time, has just taken it
 */
export async function takeActId(
  tx: Tx,
  ctx: Context,
  { actId, kind, subjectId, asked = {} }: IdentifiedAct,
): Promise<void> {
  if (!actId) return;
  const row = { actId, kind, subjectId, asked: canonicalJson(asked), at: ctx.clock.now() };
  const { count } = await tx.administratorAct.createMany({ data: [row], skipDuplicates: true });
  if (count === 0) throw usedForAnother();
}
