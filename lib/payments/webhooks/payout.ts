import { readPayout } from "../payouts/payout.ts";
import type { Kind } from "./kinds.ts";

/** On its way to the bank of a connected account, there, or back again. */
export const payout: Kind = {
  types: /^payout\./,
  look: async (ctx, { account, objectId }) => (account && objectId ? readPayout(ctx, account, objectId) : false),
};
