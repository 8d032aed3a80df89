import type { OwnerActor } from "#lib/kernel/actor.ts";

/** The owner whose live session this cookie header carries. */
export async function findOwnerActor(_cookie: string | null): Promise<OwnerActor | undefined> {
  return undefined;
}
