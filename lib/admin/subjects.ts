import type { SubjectKind } from "#lib/db/audit.ts";
import type { Tx } from "#lib/db/tx.ts";
import { notFound } from "#lib/kernel/errors.ts";

/** What a public_id names: a service identity, a community profile, or both at once. */
export type Subject = { identity: boolean; profile: boolean; kind: SubjectKind };

/** @throws ApiError not_found */
export async function findSubject(tx: Tx, publicId: string): Promise<Subject> {
  const where = { id: publicId };
  const [identity, profile] = [await tx.identity.count({ where }), await tx.profile.count({ where })];
  if (identity + profile === 0) throw notFound();
  return { identity: identity > 0, profile: profile > 0, kind: identity > 0 ? "identity" : "profile" };
}
