import { type Actor, accessOfActor } from "#lib/kernel/actor.ts";
import type { Context, ServiceContext } from "#lib/kernel/context.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { hasScope, type Scope } from "#lib/kernel/scopes.ts";
import { sideOf } from "#lib/tasks/side.ts";

/**
 * Refuses an access token that lacks the endpoint's scope. Where the side of the task decides, `requireInputScopes` does.
 * @throws ApiError insufficient_scope
 */
export function requireScope({ scope = null }: Endpoint, actor: Actor): void {
  const access = accessOfActor(actor);
  if (!access || scope === "side") return;
  if (scope === null || !hasScope(access.scopes, scope)) throw insufficientScope(scope);
}

/**
 * The same for what depends on the input: fields that need another scope, and the caller's side of the task. Only an access token
 * costs a further read, and only where it has one of the two sides.
 * @throws ApiError insufficient_scope, not_found
 */
export async function requireInputScopes(
  { scope, fieldScopes = {} }: Endpoint,
  ctx: Context,
  input: Record<string, unknown>,
): Promise<void> {
  const access = accessOfActor(ctx.actor);
  if (!access) return;
  for (const [name, needed] of Object.entries(fieldScopes)) {
    if (input[name] === undefined || needed === undefined || needed === "side") continue;
    if (needed === null || !hasScope(access.scopes, needed)) throw insufficientScope(needed, name);
  }
  if (scope !== "side") return;
  if (access.scopes.includes("order") && access.scopes.includes("work")) return;
  const needed = await sideOf(ctx as ServiceContext, input);
  if (!access.scopes.includes(needed)) throw insufficientScope(needed);
}

function insufficientScope(scope: Scope | null, field?: string): ApiError {
  const what = field ? `The field ${field}` : "This call";
  const message = scope
    ? `This access token lacks the scope "${scope}". Ask the operator or owner of the agent for a token that has it.`
    : `${what} needs the identity's management token: no access token is accepted. Ask the operator to do this.`;
  return new ApiError("insufficient_scope", message, { scope });
}
