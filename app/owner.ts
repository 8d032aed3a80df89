import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Account } from "#components/shell/navigation.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { sessionCookie } from "#lib/owners/cookies.ts";
import { findOwnerActor } from "#lib/owners/session.ts";

/** Who is signed in; asked once per page. */
export const currentOwner = cache(async (): Promise<OwnerActor | undefined> => {
  return findOwnerActor((await headers()).get("cookie"));
});

/** Who is signed in, as far as the shell shows it. It never fails: a page about the trouble needs its frame as well. */
export async function currentAccount(): Promise<Account | null> {
  const cookie = (await headers()).get("cookie");
  if (!cookie?.includes(sessionCookie().name)) return null;
  const owner = await currentOwner().catch(() => undefined);
  return owner ? { name: owner.name, role: owner.role } : null;
}

/** The owner whose page this is; anyone else signs in first, and comes back to `path`. */
export async function requireOwner(path: string): Promise<OwnerActor> {
  const owner = await currentOwner();
  return owner ?? redirect(`/sign-in?${new URLSearchParams({ return_to: path })}`);
}
