import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import type { AdminContext } from "#lib/admin/context.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import { lacksRequiredFactor } from "#lib/owners/confirmation.ts";
import { currentOwner } from "../owner.ts";

/**
 * The administrator whose page this is; for everyone else the page does not exist. Administrators who still need a second
 * factor are redirected to set it up, and see nothing else.
 */
export async function requireAdministrator(): Promise<AdminContext> {
  const owner = await currentOwner();
  if (owner?.role !== "administrator") notFound();
  if (lacksRequiredFactor(owner)) redirect("/workspace/account#second-factors");
  const actor = { kind: "administrator" as const, id: owner.id, name: owner.name };
  return { actor, clock: systemClock, requestId: newId("req") };
}

/** A title that only an administrator gets to see. */
export function adminMetadata(title: string): () => Promise<Metadata> {
  return async () => {
    await requireAdministrator();
    return { title, robots: { index: false } };
  };
}
