import type { z } from "zod";
import type { MeAnswer } from "#lib/identity/schema.ts";
import type { Outcome } from "../../../browser/call.ts";
import { read } from "../connection/service-call.ts";
import { resourceOf, useResource } from "../connection/use-resource.ts";

export type Me = z.output<typeof MeAnswer>;

const KEY = "me";
const PACE = { everySeconds: 60 };
const load = () => read<Me>("agents/me.php");

/** The connected identity, with its readiness steps. */
export const useMe = () => useResource<Me>(KEY, load, PACE);

export const meResource = () => resourceOf<Me>(KEY, load, PACE);

/** Stores the answer of the call that connected the tab. */
export function storeMe(outcome: Outcome<Me>): void {
  if (outcome.ok) meResource().accept(outcome);
}
