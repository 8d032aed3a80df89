import type { z } from "zod";
import { audit, type WireEvent } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { enqueue } from "#lib/jobs/enqueue.ts";
import { type Actor, isDomainProved } from "#lib/kernel/actor.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context, ServiceContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { type CardFinding, readCard } from "../agent-card.ts";
import { agentEvent } from "../events.ts";
import { findIdentity } from "../read.ts";
import type { OwnIdentityBody } from "../schema.ts";
import { verificationUrl, viewVerification } from "../view.ts";
import { afterCheck, type CheckCause, type DomainState } from "./domain-status.ts";
import type { ProbeResult } from "./prober.ts";
import { isLocalDomain, knowsLocalDomains, prober } from "./probing.ts";

/**
 * Looks for the proof at the verification URL, now.
 * @throws ApiError verification_failed with the reason; state_conflict without an endpoint, or when it moved meanwhile
 */
export async function verifyDomain(ctx: ServiceContext, input: z.output<typeof OwnIdentityBody>) {
  const target = await requireTarget(input.public_id);
  const [result, card] = await look(target);
  if (!(await record(ctx, target, result, card, "operator"))) throw moved();
  if (!result.ok) throw new ApiError("verification_failed", result.detail, { reason: result.reason });
  const row = await findIdentity(target.id);
  if (!row) throw notFound();
  return { verification: viewVerification(row) };
}

/** Whether the caller's domain exists on this machine only. */
export async function isOnLocalDomain(actor: Actor): Promise<boolean> {
  if (!knowsLocalDomains() || actor.kind !== "service") return false;
  const target = await findTarget(actor.id);
  return hasHost(target) && isLocalDomain(target.host);
}

/**
 * The check that a proved domain goes through every DOMAIN_RECHECK_SECONDS. After the first failure the identity is in
 * grace, after the third in a row its proof has lapsed, and no more checks are planned until the operator asks for one.
 */
export async function recheckDomain(ctx: Context, publicId: string): Promise<void> {
  const target = await findTarget(publicId);
  if (!hasHost(target) || !isDomainProved(target.domainStatus)) return;
  await record(ctx, target, ...(await look(target)), "schedule");
}

/**
 * A check that an administrator asks for. It counts like a scheduled one: a failure puts a proved domain in grace, the third in
 * a row lets it lapse; success proves it, whatever its status was.
 * @param recordFinding writes the result to the audit record, in the transaction that stores it
 * @throws ApiError not_found; state_conflict without an endpoint, or when it moved meanwhile
 */
export async function checkDomainNow(
  ctx: Context,
  publicId: string,
  recordFinding: (tx: Tx, result: ProbeResult) => Promise<void>,
): Promise<ProbeResult> {
  const target = await requireTarget(publicId);
  const [result, card] = await look(target);
  if (!(await record(ctx, target, result, card, "schedule", recordFinding))) throw moved();
  return result;
}

function moved(): ApiError {
  return stateConflict("The endpoint moved to another host during the check: verify again.");
}

type Target = {
  id: string;
  host: string;
  verificationToken: string;
  domainStatus: DomainState["status"];
  readAgentCard: boolean;
};

type Found = Omit<Target, "host"> & { host: string | null };

const hasHost = (found: Found | null): found is Target => found !== null && found.host !== null;

async function requireTarget(publicId: string): Promise<Target> {
  const found = await findTarget(publicId);
  if (!found) throw notFound();
  if (hasHost(found)) return found;
  throw stateConflict(
    "This identity has no endpoint, so there is no domain to verify. Set one with agents/profile.php first.",
  );
}

function findTarget(publicId: string): Promise<Found | null> {
  return prisma().identity.findUnique({
    where: { id: publicId },
    select: { id: true, host: true, verificationToken: true, domainStatus: true, readAgentCard: true },
  });
}

/** Looks for the proof and, where the operator wants that, at the agent's own card. Both at once, so that this ends as soon. */
function look({ id, host, verificationToken, readAgentCard }: Target): Promise<[ProbeResult, CardFinding | undefined]> {
  return Promise.all([
    prober().probe({ url: verificationUrl(host, id), expectedBody: verificationToken }),
    readAgentCard ? readCard(host) : undefined,
  ]);
}

/** Stores the result of a check; false when the identity has moved to another host meanwhile. */
function record(
  ctx: Context,
  target: Target,
  result: ProbeResult,
  card: CardFinding | undefined,
  cause: CheckCause,
  recordFinding: (tx: Tx, result: ProbeResult) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const now = ctx.clock.now();
  return transaction(async (tx) => {
    const before = await lockState(tx, target);
    if (!before) return false;
    const after = afterCheck(before, result.ok, cause);
    await recordFinding(tx, result);
    if (isDomainProved(before.status) && !result.ok && cause === "operator") return true;

    await tx.identity.update({
      where: { id: target.id, host: target.host, domainStatus: before.status, domainFailures: before.failures },
      data: {
        domainStatus: after.status,
        domainFailures: after.failures,
        domainFailure: result.ok ? null : result.reason,
        domainCheckedAt: now,
        ...(result.ok && !isDomainProved(before.status) ? { verifiedAt: now } : {}),
        // A card counts only where control of the host has just been shown.
        ...(result.ok && card ? cardFacts(before, card, now) : {}),
      },
      select: { id: true },
    });
    if (after.status !== before.status) {
      await audit(tx, ctx, {
        action: "domain",
        subjectKind: "identity",
        subjectId: target.id,
        reason: result.ok ? null : result.reason,
        data: { from: before.status, to: after.status },
        event: domainEvent(target, after.status, result),
      });
    }
    // The next check takes the place of one that is planned. If it cannot be planned, nothing is recorded: a proof that is never checked
    // again would never lapse.
    if (isDomainProved(after.status))
      await enqueue(tx, {
        name: "recheck-domain",
        payload: { public_id: target.id },
        key: `recheck:${target.id}`,
        runAt: secondsAfter(now, env().domainRecheckSeconds),
      });
    return true;
  });
}

/** What is kept of a look at the card. One that found none does not forget the card before, so that a change is noticed later. */
function cardFacts({ cardDigest }: CardState, { digest, valid }: CardFinding, now: Date) {
  const changed = digest !== null && cardDigest !== null && digest !== cardDigest;
  return {
    ...(digest === null ? {} : { agentCardDigest: digest }),
    agentCardReadAt: now,
    agentCardValid: valid,
    ...(changed ? { agentCardChangedAt: now } : {}),
  };
}

/** The log keeps when control of a domain was proved, and when that proof lapsed; a grace is neither. */
function domainEvent(
  { id, host }: Pick<Target, "id" | "host">,
  status: DomainState["status"],
  result: ProbeResult,
): WireEvent | undefined {
  if (status === "unverified") return undefined;
  const event = agentEvent(`identity.${status}`, id, result.ok ? {} : { reason: result.reason });
  return status === "grace" ? event : { ...event, log: { facts: { domain: host } } };
}

type CardState = { cardDigest: string | null };

// Checks that end at the same moment take turns, so that each counts from what the other left.
async function lockState(tx: Tx, { id, host }: Target): Promise<(DomainState & CardState) | undefined> {
  const [state] = await tx.$queryRaw<(DomainState & CardState)[]>`SELECT
      domain_status::text AS status, domain_failures AS failures,
      agent_card_digest AS "cardDigest"
    FROM identities WHERE id = ${id} AND host = ${host} FOR NO KEY UPDATE`;
  return state;
}
