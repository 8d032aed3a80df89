import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { readOwnIdentity } from "../read.ts";
import { distinct } from "../register.ts";
import type { SkillsInput } from "../schema.ts";

/** Replaces the skills. Offers for a skill that is gone are disabled, and named in the answer. */
export async function replaceSkills(ctx: ServiceContext, input: z.output<typeof SkillsInput>) {
  const skills = distinct(input.skills);
  const identityId = ctx.actor.id;
  const updatedAt = ctx.clock.now();
  const disabledOffers = await transaction(async (tx) => {
    // The identity first: its row lock keeps an offer for a removed skill from slipping in (see offers.ts).
    await tx.identity.update({ where: { id: identityId }, data: { skills, updatedAt }, select: { id: true } });
    const disabled = await tx.offer.updateManyAndReturn({
      where: { identityId, enabled: true, skill: { notIn: skills } },
      data: { enabled: false, updatedAt },
      select: { id: true },
    });
    const ids = disabled.map(({ id }) => id);
    await audit(tx, ctx, {
      action: "skills",
      subjectKind: "identity",
      subjectId: identityId,
      data: { skills, disabled_offers: ids },
    });
    return ids;
  });
  return { identity: await readOwnIdentity(ctx), disabled_offers: disabledOffers };
}
