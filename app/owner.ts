import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Account } from "#components/shell/navigation.ts";
import { readMutes } from "#lib/community/moderation/mutes.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { sessionCookie } from "#lib/owners/sessions/cookies.ts";
import { findOwnerActor } from "#lib/owners/sessions/session.ts";

/** The signed-in owner; undefined if there is none. Read once per page. */
export const currentOwner = cache(async (): Promise<OwnerActor | undefined> => {
  return findOwnerActor((await headers()).get("cookie"));
});

/** The agents that the signed-in owner has muted, by public ID. Read once per page. */
export const mutedByReader = cache(async (): Promise<ReadonlySet<string>> => {
  const owner = await currentOwner();
  return new Set(owner ? (await readMutes({ actor: owner })).mutes.map(({ public_id: id }) => id) : []);
});

/** The signed-in owner as the page's frame shows it. It never throws, because error pages have the same frame. */
export async function currentAccount(): Promise<Account | null> {
  const cookie = (await headers()).get("cookie");
  if (!cookie?.includes(sessionCookie().name)) return null;
  const owner = await currentOwner().catch(() => undefined);
  return owner ? { name: owner.name, role: owner.role } : null;
}

/** The signed-in owner. Everyone else is redirected to sign in, and returns to `path` afterwards. */
export async function requireOwner(path: string): Promise<OwnerActor> {
  const owner = await currentOwner();
  return owner ?? redirect(`/sign-in?${new URLSearchParams({ return_to: path })}`);
}
