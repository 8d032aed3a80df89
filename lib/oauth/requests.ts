import { prisma } from "#lib/db/client.ts";
import type { Scope } from "#lib/kernel/scopes.ts";
import { isOnThisMachine, type Voucher, voucherOf } from "./clients.ts";
import { findRecord, storeRecord } from "./records.ts";

/** What a program asks an owner for, as the consent page shows it. */
export type ConsentRequest = {
  clientId: string;
  clientName: string;
  voucher: Voucher;
  redirectUri: string;
  scopes: Scope[];
  /** The identifier of the resource (RFC 8707). */
  resource: string;
};

const MODEL = "ConsentRequest";

export async function storeRequest(
  id: string,
  request: Omit<ConsentRequest, "voucher">,
  expiresIn: number,
): Promise<void> {
  const voucher = await voucherOf(request.clientId);
  await storeRecord(MODEL, id, { ...request, voucher }, { expiresIn, connectionId: null });
}

/** The request with this ID; undefined if there is none, or it has expired. */
export async function findRequest(id: string): Promise<ConsentRequest | undefined> {
  return (await findRecord(MODEL, id)) as ConsentRequest | undefined;
}

/** The agents that an owner can let a program act as, newest first; at most 100. */
export function agentsToChoose(ownerId: string): Promise<{ id: string; name: string }[]> {
  const select = { id: true, name: true };
  return prisma().identity.findMany({ where: { ownerId }, orderBy: { seq: "desc" }, take: 100, select });
}

/** Where the browser goes after the consent, as people read it, and whether that is a program on their own machine. */
export function destinationOf({ redirectUri }: ConsentRequest): { host: string; isLocal: boolean } {
  return { host: new URL(redirectUri).hostname, isLocal: isOnThisMachine(redirectUri) };
}
