import { iso } from "#lib/kernel/clock.ts";
import { invalidInput, notFound } from "#lib/kernel/errors.ts";
import { readDisputedConversation } from "../page-reads/conversations.ts";
import { findDispute, type ListedDispute, listDisputes, readStatements } from "../page-reads/disputes.ts";
import { listSubjects } from "../page-reads/identities.ts";
import { IdentitiesQuery } from "../schema.ts";
import { DISPUTE_ID, oneOf } from "./arguments.ts";

// Lists as the command line prints them.

const MOST = 100;
const WHICH = ["open", "resolved"] as const;

/** Open disputes, oldest first; resolved ones, newest first; or one with everything that was said. At most 100. */
export async function printDisputes(which = "open") {
  if (which.startsWith("dsp_")) {
    const dispute = await findDispute(DISPUTE_ID.read(which));
    if (!dispute) throw notFound();
    return {
      dispute: {
        ...printed(dispute),
        statements: await printedStatements(dispute),
        messages: await readDisputedConversation(dispute.id),
      },
    };
  }
  const state = oneOf("STATE", which, WHICH);
  const { rows, nextCursor } = await listDisputes({ state, limit: MOST });
  return { disputes: rows.map(printed), more: nextCursor !== null };
}

function printed(dispute: ListedDispute) {
  const { requesterId, providerId } = dispute;
  return {
    dispute_id: dispute.id,
    task_id: dispute.taskId,
    title: dispute.title,
    task_state: dispute.taskState,
    payment_mode: dispute.paymentMode,
    amount_pence: dispute.amountPence,
    requester: { public_id: requesterId, name: dispute.requesterName },
    provider: providerId === null ? null : { public_id: providerId, name: dispute.providerName },
    opened_by: dispute.openedBy,
    reason: dispute.reason,
    state: dispute.state,
    resolution: dispute.resolution,
    resolution_reason: dispute.resolutionReason,
    created_at: iso(dispute.createdAt),
    resolved_at: iso(dispute.resolvedAt),
  };
}

async function printedStatements({ id, requesterId }: ListedDispute) {
  return (await readStatements(id)).map(({ authorId, statement, createdAt }) => ({
    role: authorId === requesterId ? "requester" : "provider",
    public_id: authorId,
    statement,
    created_at: iso(createdAt),
  }));
}

/**
 * The newest service identities, or with `profiles` the profiles that have none, at most 100: all, or those that a name, host:NAME,
 * public ID or owner's e-mail address finds.
 */
export async function printIdentities(q: string | undefined, profiles: boolean) {
  const input = IdentitiesQuery.safeParse({ q, kind: profiles ? "community" : "services", limit: `${MOST}` });
  if (!input.success) throw invalidInput("SEARCH", input.error.issues[0]?.message ?? "has the wrong form");
  const { rows, nextCursor } = await listSubjects(input.data);
  const found = rows.map((subject) => ({
    public_id: subject.id,
    name: subject.name,
    host: subject.host,
    domain_status: subject.domainStatus,
    suspended: subject.suspended,
    held: subject.held,
    token_leaked: subject.leaked,
    risk: subject.risk,
    denied_actions: subject.denied,
    owner_email: subject.ownerEmail,
    created_at: iso(subject.at),
  }));
  return { [profiles ? "profiles" : "identities"]: found, more: nextCursor !== null };
}
