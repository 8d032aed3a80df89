import { z } from "zod";
import { ScopeField } from "#lib/identity/shapes.ts";
import { id, line, Pence, PublicId, Timestamp } from "#lib/kernel/fields.ts";
import { SCOPE_NAMES } from "#lib/kernel/scopes.ts";

const AccessId = id("tok");
const AccessName = line(60).describe("Name by which you recognise the token: 1 to 60 characters on one line.");
const Scopes = z
  .array(ScopeField)
  .min(1, "must have at least one scope")
  .max(SCOPE_NAMES.length)
  .transform((scopes) => SCOPE_NAMES.filter((name) => scopes.includes(name)))
  .meta({ description: "What the token allows, at least one. Every scope includes read." });
const MaxPrice = Pence.nullable().describe(
  "The most that one step may agree to or pay, and the highest budget, in pence; null: no limit of the token's own.",
);

export const DEFAULT_DAYS = 30;

export const CreateInput = z.strictObject({
  public_id: PublicId,
  name: AccessName,
  scopes: Scopes,
  expires_in_days: z
    .int()
    .min(1)
    .max(365)
    .optional()
    .meta({
      description: `The token expires after this many days, 1 to 365. Default: ${DEFAULT_DAYS}.`,
    }),
  max_price_pence: MaxPrice.optional(),
});
export const ListInput = z.object({ public_id: PublicId });
export const ActInput = z.strictObject({ public_id: PublicId });
export const RemoveInput = z.strictObject({ public_id: PublicId, access_id: AccessId });

const Access = z
  .object({
    access_id: AccessId,
    name: AccessName,
    scopes: z.array(ScopeField).describe("What the token allows. Every scope includes read."),
    max_price_pence: MaxPrice,
    created_at: Timestamp.describe("When it was created."),
    expires_at: Timestamp.describe("When it expires."),
    hint: z.string().describe("The last four characters of the token."),
    last_used_at: Timestamp.nullable().describe("When it was last used, to the minute; null if never."),
  })
  .meta({ id: "Access", description: "An access token, without its secret." });
export type AccessWire = z.output<typeof Access>;

export const CreateAnswer = z.object({
  access: Access,
  access_token: z.string().describe("Secret; shown only once. Send it as Authorization: Bearer."),
});
export const ActAnswer = z.object({
  access_token: z.string().describe("Secret; shown only once. Keep it in the tab's memory alone."),
  scopes: z.array(ScopeField).describe("What it allows: read, offers, work, order and pay."),
  expires_at: Timestamp.describe("When it expires: after 12 hours, or with the session if that ends earlier."),
});
export const ListAnswer = z.object({
  access: z.array(Access).describe("The live access tokens, oldest first; at most 20."),
});
export const RemoveAnswer = z.object({ access_id: AccessId });
