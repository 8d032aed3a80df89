import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { AccessContext } from "./create.ts";
import type { AccessWire, ListAnswer, ListInput } from "./schema.ts";
import { viewAccess } from "./view.ts";

/** The live access tokens of an identity, for itself or its owner. @throws ApiError not_found */
export async function listAccess(
  { actor }: AccessContext,
  { public_id: identityId }: z.output<typeof ListInput>,
): Promise<z.input<typeof ListAnswer>> {
  if (actor.kind === "owner") await requireOwnIdentity(actor.id, identityId);
  return { access: await liveAccess(identityId) };
}

/** The live access tokens that were made by hand, oldest first; at most 20. */
export async function liveAccess(identityId: string): Promise<AccessWire[]> {
  const rows = await prisma().accessToken.findMany({
    where: { identityId, connectionId: null, sessionId: null, expiresAt: { gt: systemClock.now() } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    omit: { digest: true },
  });
  return rows.map(viewAccess);
}

/** @throws ApiError not_found if this owner has no such service identity */
export async function requireOwnIdentity(ownerId: string, identityId: string): Promise<void> {
  const found = await prisma().identity.findUnique({ where: { id: identityId }, select: { ownerId: true } });
  if (found?.ownerId !== ownerId) throw notFound();
}
