import { enterDueCharges } from "./payments.ts";
import { expireOverdue } from "./sessions.ts";
import type { World } from "./world.ts";

/** What happens over time: sessions expire, and charges get their balance transactions. */
export function letTimePass(world: World): void {
  expireOverdue(world);
  enterDueCharges(world);
}
