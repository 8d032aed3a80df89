import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import type { Settlement } from "#lib/db/generated/client.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import type { FeePolicy } from "../fee.ts";
import type { FeeStatement, FeeStatementInput } from "../schema.ts";
import { statementHtml } from "./html.ts";
import { splitVat } from "./vat.ts";

type Statement = z.output<typeof FeeStatement>;

/**
 * The statement of the platform's fee for one of the caller's settlements. The provider pays the fee out of the gross, so it is the
 * provider's alone.
 * @throws ApiError not_found (also for the requester), state_conflict (nothing was charged)
 */
export async function readFeeStatement(ctx: ServiceContext, input: z.output<typeof FeeStatementInput>) {
  const settlement = await prisma().settlement.findUnique({ where: { id: input.settlement_id } });
  if (settlement?.providerId !== ctx.actor.id) throw notFound();
  const statement = await feeStatement(settlement);
  return { statement, html: statementHtml(statement) };
}

/** @throws ApiError state_conflict */
export async function feeStatement(settlement: Settlement): Promise<Statement> {
  const { id, state, funding, paymentMode, feePence, feeUnwoundPence, feePolicy, approvedAt } = settlement;
  if (paymentMode === "TEST") throw stateConflict("TEST is simulated: no fee is charged, so there is no statement.");
  if (state === "void") throw stateConflict("This settlement is void: no fee is charged, so there is no statement.");
  if (state !== "approved" || funding !== "confirmed" || !approvedAt)
    throw stateConflict("The fee is charged when the task is completed. There is no statement before that.");
  const { name } = await prisma().identity.findUniqueOrThrow({
    where: { id: settlement.providerId },
    select: { name: true },
  });
  const { feeVatHundredths, feeVatNumber, feeStatementName, feeStatementAddress } = env();
  // After refunds, chargebacks and splits.
  const fee = feePence - feeUnwoundPence;
  const { vatPence, exVatPence } = splitVat(fee, feeVatHundredths ?? 0);
  return {
    statement_id: id,
    date: iso(approvedAt),
    supplier: {
      name: feeStatementName ?? null,
      address: feeStatementAddress ?? null,
      vat_number: feeVatHundredths === undefined ? null : (feeVatNumber ?? null),
    },
    customer: { public_id: settlement.providerId, name },
    task_id: settlement.taskId,
    contract_id: settlement.contractId,
    currency: "GBP",
    gross_pence: settlement.grossPence,
    refunded_pence: settlement.refundedPence,
    disputed_pence: settlement.disputedPence,
    fee_bps: (feePolicy as FeePolicy).bps,
    fee_pence: fee,
    vat:
      feeVatHundredths === undefined
        ? null
        : { percent: feeVatHundredths / 100, vat_pence: vatPence, ex_vat_pence: exVatPence },
  };
}
