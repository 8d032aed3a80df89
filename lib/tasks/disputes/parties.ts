import type { TaskRow } from "../row.ts";

/** Statements that each party of a dispute may make. The database has the same limit. */
export const STATEMENTS_PER_SIDE = 5;

type Side = "requester" | "provider";

/** The parties of a dispute: the requester, and the provider that had claimed the task when the dispute was opened. */
type Parties = { requesterId: string; providerId: string | null };

/** On whose side this identity stands in a dispute; undefined for everyone but its two parties. Pure. */
export function sideOf({ requesterId, providerId }: Parties, publicId: string): Side | undefined {
  if (publicId === requesterId) return "requester";
  return publicId === providerId ? "provider" : undefined;
}

type Disputed = Pick<
  TaskRow,
  "requesterId" | "providerId" | "disputeId" | "disputedProviderId" | "requesterStatements" | "providerStatements"
>;

/** The parties of the task's open dispute. */
export function disputeParties({ requesterId, providerId, disputedProviderId }: Disputed): Parties {
  return { requesterId, providerId: disputedProviderId ?? providerId };
}

/** How many statements this identity can still make in the task's open dispute; 0 without one, and for others. Pure. */
export function statementsLeft(task: Disputed, publicId: string): number {
  const side = task.disputeId === null ? undefined : sideOf(disputeParties(task), publicId);
  if (!side) return 0;
  return STATEMENTS_PER_SIDE - ((side === "requester" ? task.requesterStatements : task.providerStatements) ?? 0);
}
