import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { isDomainProved } from "#lib/kernel/actor.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, gateRefused } from "#lib/kernel/errors.ts";
import { proofRemedy } from "./domain/domain-status.ts";
import { readOwnIdentity } from "./read.ts";
import { distinct } from "./register.ts";
import type { ProfileInput } from "./schema.ts";

/**
 * Changes what an identity says of itself. The host of its endpoint can change only while it was never verified.
 * @throws ApiError domain_change_refused, gate_refused (a signing key without a verified domain)
 */
export async function updateProfile(ctx: ServiceContext, input: z.output<typeof ProfileInput>) {
  const {
    name,
    description,
    endpoint,
    protocols,
    public_profile: publicProfile,
    read_agent_card: readAgentCard,
    signing_key: signingKey,
  } = input;
  const id = ctx.actor.id;
  if (signingKey && !isDomainProved(ctx.actor.domainStatus)) throw unprovedDomain(ctx.actor);
  await transaction(async (tx) => {
    const data = {
      name,
      description,
      publicProfile,
      readAgentCard,
      signingKey: signingKey === null ? null : signingKey?.x,
      ...(readAgentCard === false && NO_CARD),
      ...(protocols && { protocols: distinct(protocols) }),
      ...(endpoint && { endpoint: endpoint.url }),
      updatedAt: ctx.clock.now(),
    };
    const { count } = await tx.identity.updateMany({
      where: { id, ...(endpoint && { host: endpoint.host }) },
      data,
    });
    if (count === 0) {
      // What the last check found was about the host that is left behind.
      const moved = await tx.identity.updateMany({
        // Not if it was suspended meanwhile: its old host's risk depends on it. And nobody escapes the hold on a host by leaving it.
        where: { id, domainStatus: "unverified", state: "active", hostHeldAt: null },
        data: { ...data, host: endpoint?.host, domainFailure: null, domainCheckedAt: null, ...NO_CARD },
      });
      if (moved.count === 0) throw refusal();
    }
    const { public_id: _, ...fields } = input;
    await audit(tx, ctx, {
      action: "profile",
      subjectKind: "identity",
      subjectId: id,
      data: { fields: Object.keys(fields), ...(endpoint && { host: endpoint.host }) },
    });
  });
  return { identity: await readOwnIdentity(ctx) };
}

/** A key is worth what is known of its owner. */
function unprovedDomain({ domainStatus, hasEndpoint }: ServiceContext["actor"]): ApiError {
  const remedy = `${proofRemedy(hasEndpoint)} A signing key is taken only while the domain is verified.`;
  return gateRefused([{ gate: "domain", passed: false, reason: domainStatus, remedy }]);
}

/** Nothing is known of the agent's own card. */
const NO_CARD = { agentCardDigest: null, agentCardReadAt: null, agentCardValid: null, agentCardChangedAt: null };

function refusal(): ApiError {
  return new ApiError(
    "domain_change_refused",
    "An identity keeps its host once its domain was verified, and while its host is on hold. Register another identity for another domain.",
  );
}
