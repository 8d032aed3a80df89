import { prisma } from "#lib/db/client.ts";
import type { BalanceReading } from "#lib/db/generated/client.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { readBinding } from "../gateway/binding.ts";
import { liveGateway } from "../gateway/live.ts";
import type { BalanceLine } from "../gateway/port.ts";

const DAY_SECONDS = 86_400;
/** What Stripe lists late, and what its clock and ours differ by, is found again so much later. */
const OVERLAP_SECONDS = 3_600;
/** The clocks of Stripe and this machine may differ. */
const AHEAD_SECONDS = 300;
const READING = { id: 1 };
/** A period with more than can be read at once is halved so often at most. */
const HALVINGS = 20;
/** Rows in one INSERT. */
const BATCH = 1_000;

/**
 * Reads the platform's balance transactions that are new since the last time, and keeps them. They begin a day before the first
 * call of Stripe.
 * @returns whether everything up to now has been read; otherwise the next call continues
 * @throws ProcessorError
 */
export async function readBalanceTransactions(ctx: Context): Promise<BalanceReading & { isCurrent: boolean }> {
  const now = ctx.clock.now();
  const reading = await prisma().balanceReading.upsert({
    where: READING,
    create: { ...READING, ...(await beginning(now)) },
    update: {},
  });
  const from = new Date(Math.max(reading.since.getTime(), secondsAfter(reading.readTo, -OVERLAP_SECONDS).getTime()));
  let until = secondsAfter(now, AHEAD_SECONDS);
  let lines: BalanceLine[] | undefined;
  for (let halved = 0; halved < HALVINGS; halved += 1) {
    lines = await (await liveGateway()).listBalance(from, until);
    if (lines) break;
    until = new Date((from.getTime() + until.getTime()) / 2);
  }
  if (!lines) throw new Error("Stripe's list of balance transactions is too long for any period.");
  await keep(lines, now);
  const isCurrent = until > now;
  const readTo = isCurrent ? now : until;
  return { ...(await prisma().balanceReading.update({ where: READING, data: { readTo } })), isCurrent };
}

async function beginning(now: Date): Promise<{ since: Date; readTo: Date }> {
  const binding = await readBinding();
  const since = secondsAfter(binding?.boundAt ?? now, -DAY_SECONDS);
  return { since, readTo: since };
}

async function keep(lines: readonly BalanceLine[], readAt: Date): Promise<void> {
  for (let at = 0; at < lines.length; at += BATCH)
    await prisma().balanceTransaction.createMany({
      data: lines.slice(at, at + BATCH).map((line) => ({ ...line, readAt })),
      skipDuplicates: true,
    });
}
