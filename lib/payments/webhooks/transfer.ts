import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { liveGateway } from "../gateway/live.ts";
import { recordTransfer } from "../transfers/record.ts";
import type { Kind } from "./kinds.ts";

/** Made or reversed. */
export const transfer: Kind = {
  types: /^transfer\./,
  async look(ctx, { objectId }) {
    const read = objectId ? await (await liveGateway()).readTransfer(objectId) : undefined;
    if (!read?.transferId) return false;
    const intent = await prisma().transferIntent.findUnique({ where: { id: read.transferId } });
    return intent ? transaction((tx) => recordTransfer(tx, ctx, intent.settlementId, read)) : false;
  },
};
