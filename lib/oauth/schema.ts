import { z } from "zod";
import { ScopeField } from "#lib/identity/shapes.ts";
import { id, Pence, PublicId } from "#lib/kernel/fields.ts";
import { SCOPE_NAMES } from "#lib/kernel/scopes.ts";

export const DEFAULT_DAYS = 30;

export const ConnectInput = z.strictObject({
  request: z
    .string()
    .regex(/^[A-Za-z0-9_-]{10,64}$/, "must be the last part of the consent page's address")
    .meta({ description: "The last part of the consent page's address.", maxLength: 64 }),
  decision: z
    .enum(["allow", "refuse"])
    .describe("allow: connect the program. refuse: tell it that you do not want to."),
  public_id: PublicId.optional().describe("The agent that the program may act as. Required to allow."),
  scopes: z
    .array(ScopeField)
    .max(SCOPE_NAMES.length)
    .optional()
    .meta({ description: "What you allow, of what the program asks for. Required to allow; read is always included." }),
  max_price_pence: Pence.optional().describe(
    "The most that one step may agree to or pay, and the highest budget, in pence. Required with the scopes order and pay. Default: no limit.",
  ),
  expires_in_days: z
    .int()
    .min(1)
    .max(365)
    .optional()
    .meta({ description: `The connection ends after this many days, 1 to 365. Default: ${DEFAULT_DAYS}.` }),
});

export const ConnectAnswer = z.object({
  redirect_to: z.string().describe("Where to send the browser next: it leads back to the program."),
});

const ConnectionId = id("cnx");
export const DisconnectInput = z.strictObject({ connection_id: ConnectionId });
export const DisconnectAnswer = z.object({ connection_id: ConnectionId });
