import { prisma } from "#lib/db/client.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { statementHtml } from "#lib/settlements/fee-statement/html.ts";
import { feeStatement } from "#lib/settlements/fee-statement/statement.ts";

/** The fee statement of a settlement as a page to print; undefined if there is none. */
export async function readStatementPage(settlementId: string): Promise<string | undefined> {
  const settlement = await prisma().settlement.findUnique({ where: { id: settlementId } });
  if (!settlement) return undefined;
  try {
    return statementHtml(await feeStatement(settlement));
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
