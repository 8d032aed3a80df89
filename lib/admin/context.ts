import { randomUUID } from "node:crypto";
import type { AdministratorActor } from "#lib/kernel/actor.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";

export type AdminContext = Context<AdministratorActor>;

/** The context of a command. `name` is kept in the audit trail. */
export function commandLineContext(name: string): AdminContext {
  return { actor: { kind: "administrator", id: name }, clock: systemClock, requestId: `cli_${randomUUID()}` };
}
