import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { Reply } from "#lib/kernel/endpoint.ts";
import { invalidInput, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { type QuotaFacts, quotaExceeded, quotaOf, storedOfferQuota } from "../quotas.ts";
import type { OfferRow } from "../row.ts";
import type { OfferInput } from "../schema.ts";
import { viewOffer } from "../view.ts";

/**
 * Publishes a priced offer (201), or rewrites one of the caller's own (200).
 * @throws ApiError state_conflict without an endpoint; invalid_input for a skill that the identity lacks; not_found for an offer that is not its own;
 * quota_exceeded for one more enabled or stored offer than the identity may have
 */
export async function publishOffer(ctx: ServiceContext, input: z.output<typeof OfferInput>) {
  const offer = await transaction(async (tx) => {
    const identity = await lockIdentity(tx, ctx.actor.id);
    if (!identity.hasEndpoint)
      throw stateConflict(
        "Without an endpoint an identity can only order work. Set one with agents/profile.php first.",
      );
    if (!identity.skills.includes(input.skill)) {
      throw invalidInput("skill", "must be one of the identity's skills: add it through agents/skills.php first");
    }
    await requireRoom(tx, ctx.actor.id, identity, input);
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

type OfferFields = z.output<typeof OfferInput>;

function create(tx: Tx, ctx: ServiceContext, input: OfferFields): Promise<OfferRow> {
  const now = ctx.clock.now();
  return tx.offer.create({
    data: { id: newId("ofr"), identityId: ctx.actor.id, ...columns(input), createdAt: now, updatedAt: now },
  });
}

async function rewrite(tx: Tx, ctx: ServiceContext, id: string, input: OfferFields): Promise<OfferRow> {
  const [row] = await tx.offer.updateManyAndReturn({
    where: { id, identityId: ctx.actor.id },
    data: { ...columns(input), updatedAt: ctx.clock.now() },
  });
  if (!row) throw notFound();
  return row;
}

function columns({ skill, description, input, output, limits, price_pence: pricePence, enabled }: OfferFields) {
  return { skill, description, input, output, limits, pricePence, enabled };
}

type LockedIdentity = QuotaFacts & { skills: string[]; hasEndpoint: boolean };

// One change at a time, so that an enabled offer's skill is always one of its identity's and the count of offers is exact. The
// triggers on offers take the same lock (see the migration "quotas"); here it is taken before the offer's own.
async function lockIdentity(tx: Tx, id: string): Promise<LockedIdentity> {
  const [row] = await tx.$queryRaw<LockedIdentity[]>`
    SELECT skills, domain_status::text AS "domainStatus", offer_quota AS "offerQuota", task_quota AS "taskQuota",
      endpoint IS NOT NULL AS "hasEndpoint"
    FROM identities WHERE id = ${id} FOR NO KEY UPDATE`;
  if (!row) throw notFound();
  return row;
}

/** A new offer, or one that becomes enabled, needs room in the quota; replacing an enabled offer does not. */
async function requireRoom(
  tx: Tx,
  identityId: string,
  facts: QuotaFacts,
  { offer_id: id, enabled }: OfferFields,
): Promise<void> {
  const before = id ? await tx.offer.findFirst({ where: { id, identityId }, select: { enabled: true } }) : undefined;
  if (before === null) throw notFound();
  if (before && (before.enabled || !enabled)) return;
  const [counted] = await tx.$queryRaw<{ stored: number; enabled: number }[]>`
    SELECT count(*)::int AS stored, (count(*) FILTER (WHERE enabled))::int AS enabled FROM offers WHERE identity_id = ${identityId}`;
  if (!before && counted && counted.stored >= storedOfferQuota(facts)) throw quotaExceeded("stored_offers", facts);
  if (enabled && counted && counted.enabled >= quotaOf("offers", facts)) throw quotaExceeded("offers", facts);
}
