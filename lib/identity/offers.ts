import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { Reply } from "#lib/kernel/endpoint.ts";
import { invalidInput, notFound } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { OfferInput } from "./schema.ts";
import { type OfferRow, viewOffer } from "./view.ts";

/**
 * Publishes a priced offer (201), or rewrites one of the caller's own (200).
 * @throws ApiError invalid_input for a skill that the identity lacks; not_found for an offer that is not its own
 */
export async function publishOffer(ctx: ServiceContext, input: z.output<typeof OfferInput>) {
  const offer = await transaction(async (tx) => {
    if (!(await lockSkills(tx, ctx.actor.id)).includes(input.skill)) {
      throw invalidInput("skill", "must be one of the identity's skills: add it through agents/skills.php first");
    }
    const row = input.offer_id ? await rewrite(tx, ctx, input.offer_id, input) : await create(tx, ctx, input);
    await audit(tx, ctx, {
      action: input.offer_id ? "update" : "create",
      subjectKind: "offer",
      subjectId: row.id,
      data: { skill: row.skill, price_pence: row.pricePence, enabled: row.enabled },
    });
    return row;
  });
  return new Reply(input.offer_id ? 200 : 201, { offer: viewOffer(offer) });
}

type Told = z.output<typeof OfferInput>;

function create(tx: Tx, ctx: ServiceContext, input: Told): Promise<OfferRow> {
  const now = ctx.clock.now();
  return tx.offer.create({
    data: { id: newId("ofr"), identityId: ctx.actor.id, ...columns(input), createdAt: now, updatedAt: now },
  });
}

async function rewrite(tx: Tx, ctx: ServiceContext, id: string, input: Told): Promise<OfferRow> {
  const [row] = await tx.offer.updateManyAndReturn({
    where: { id, identityId: ctx.actor.id },
    data: { ...columns(input), updatedAt: ctx.clock.now() },
  });
  if (!row) throw notFound();
  return row;
}

function columns({ skill, description, input, output, limits, price_pence: pricePence, enabled }: Told) {
  return { skill, description, input, output, limits, pricePence, enabled };
}

// Shared with other offers, but not with a change of the skills: an enabled offer's skill is always one of its identity's.
async function lockSkills(tx: Tx, id: string): Promise<string[]> {
  const [row] = await tx.$queryRaw<{ skills: string[] }[]>`SELECT skills FROM identities WHERE id = ${id} FOR SHARE`;
  return row?.skills ?? [];
}
