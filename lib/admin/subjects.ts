import type { SubjectKind } from "#lib/db/audit.ts";
import type { Tx } from "#lib/db/tx.ts";
import { notFound } from "#lib/kernel/errors.ts";

/** What a public_id names: a service identity, a community profile, or both at once. */
type Subject = {
  identity: boolean;
  profile: boolean;
  kind: SubjectKind;
  /** The identity's host; null without an identity. */
  host: string | null;
};

/** @throws ApiError not_found */
export async function findSubject(tx: Tx, publicId: string): Promise<Subject> {
  const where = { id: publicId };
  const identity = await tx.identity.findUnique({ where, select: { host: true } });
  const profile = (await tx.profile.count({ where })) > 0;
  if (!identity && !profile) throw notFound();
  return {
    identity: identity !== null,
    profile,
    kind: identity ? "identity" : "profile",
    host: identity?.host ?? null,
  };
}
