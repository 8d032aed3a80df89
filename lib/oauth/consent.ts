import type Provider from "oidc-provider";
import type { z } from "zod";
import { transaction } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { ApiError, invalidInput, notFound } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { SCOPE_NAMES, type Scope } from "#lib/kernel/scopes.ts";
import { recordSecurityEvent } from "#lib/owners/security-log.ts";
import { requireRecentConfirmation } from "#lib/owners/sessions/confirmation.ts";
import { requireStillOpen } from "#lib/owners/sessions/session.ts";
import { type ConsentRequest, findRequest } from "./requests.ts";
import { resourceOf } from "./resources.ts";
import { type ConnectAnswer, type ConnectInput, DEFAULT_DAYS } from "./schema.ts";

/** Connections of one owner that have not ended. */
const QUOTA = 50;
const DAY_SECONDS = 86_400;
/** Scopes that spend. */
const SPENDING: readonly Scope[] = ["order", "pay"];

type Input = z.output<typeof ConnectInput>;

/**
 * The owner's answer on the consent page. Only here does a program get scopes.
 * @throws ApiError not_found (the request has expired, or the agent is not the owner's), invalid_input, quota_exceeded,
 *   forbidden (step_up_required)
 */
export async function decideConsent(ctx: OwnerContext, input: Input): Promise<z.input<typeof ConnectAnswer>> {
  const request = await findRequest(input.request);
  // Loaded on demand, as in serve.ts.
  const server = (await import("./provider.ts")).authorizationServer();
  const interaction = request && (await server.Interaction.find(input.request));
  if (!request || !interaction || interaction.result)
    throw new ApiError("not_found", "This request has expired or was answered already. Start again in the program.");
  const refused = { error: "access_denied", error_description: "the owner refused" };
  interaction.result = input.decision === "refuse" ? refused : await allow(ctx, server, request, input);
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1_000));
  return { redirect_to: interaction.returnTo };
}

async function allow(ctx: OwnerContext, server: Provider, request: ConsentRequest, input: Input) {
  const { public_id: identityId, max_price_pence: maxPricePence = null } = input;
  const scopes = chosenScopes(request, input);
  if (!identityId) throw invalidInput("public_id", "is required: choose the agent that the program may act as");
  if (scopes.some((scope) => SPENDING.includes(scope))) {
    if (maxPricePence === null) throw invalidInput("max_price_pence", "is required to allow order or pay");
    requireRecentConfirmation(ctx);
  }
  const days = input.expires_in_days ?? DEFAULT_DAYS;
  const connectionId = newId("cnx");
  const { clientId, clientName, voucher } = request;
  const createdAt = ctx.clock.now();
  await transaction(async (tx) => {
    await requireStillOpen(tx, ctx.actor);
    // One at a time for each owner, so that the quota holds.
    await tx.$queryRaw`SELECT id FROM owners WHERE id = ${ctx.actor.id} FOR NO KEY UPDATE`;
    const identity = await tx.identity.findUnique({ where: { id: identityId }, select: { ownerId: true } });
    if (identity?.ownerId !== ctx.actor.id) throw notFound();
    const open = await tx.oauthConnection.count({ where: { ownerId: ctx.actor.id, expiresAt: { gt: createdAt } } });
    if (open >= QUOTA) throw quotaExceeded();
    await tx.oauthConnection.create({
      data: {
        ...{
          id: connectionId,
          ownerId: ctx.actor.id,
          identityId,
          clientId,
          clientName,
          scopes,
          maxPricePence,
          createdAt,
        },
        clientHost: typeof voucher === "object" ? voucher.host : null,
        resource: resourceOf(request.resource) as string,
        expiresAt: secondsAfter(createdAt, days * DAY_SECONDS),
      },
    });
    await recordSecurityEvent(tx, ctx, {
      ownerId: ctx.actor.id,
      action: "connection_create",
      data: { connection_id: connectionId, name: clientName, identity: identityId, scopes },
    });
  });
  const grant = new server.Grant({ jti: connectionId, accountId: ctx.actor.id, clientId });
  grant.addResourceScope(request.resource, scopes.join(" "));
  await grant.save(days * DAY_SECONDS);
  return { login: { accountId: ctx.actor.id, remember: false }, consent: { grantId: connectionId } };
}

/** What the owner chose, with `read`, which every scope includes. Never more than the program asked for. */
function chosenScopes(request: ConsentRequest, { scopes }: Input): Scope[] {
  if (!scopes) throw invalidInput("scopes", "is required: choose what the program may do");
  const beyond = scopes.find((scope) => !request.scopes.includes(scope));
  if (beyond) throw invalidInput("scopes", `must not have ${beyond}, which the program did not ask for`);
  const chosen = SCOPE_NAMES.filter((name) => scopes.includes(name));
  if (chosen.length === 0) throw invalidInput("scopes", "must have at least one");
  return chosen;
}

function quotaExceeded(): ApiError {
  const message = `You have ${QUOTA} connected programs, which is the most an account may have. End one under /workspace/account.`;
  return new ApiError("quota_exceeded", message, { reason: "connections" });
}
