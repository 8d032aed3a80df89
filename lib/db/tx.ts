import { prisma } from "./client.ts";
import type { Prisma } from "./generated/client.ts";

/** A Prisma client inside one database transaction. */
export type Tx = Prisma.TransactionClient;

/** Runs `work` in one transaction (READ COMMITTED): all of it happens, or nothing. */
export function transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return prisma().$transaction(work);
}
