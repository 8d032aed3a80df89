import { randomUUID } from "node:crypto";
import type { AdministratorActor } from "#lib/kernel/actor.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";

export type AdminContext = Context<AdministratorActor>;

/** An administrator's act that comes from the command line, under the name that the record keeps. */
export function commandLineContext(name: string): AdminContext {
  return { actor: { kind: "administrator", id: name }, clock: systemClock, requestId: `cli_${randomUUID()}` };
}
