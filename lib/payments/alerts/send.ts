import { prisma } from "#lib/db/client.ts";
import type { Alert } from "#lib/db/generated/client.ts";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { log } from "#lib/kernel/log.ts";

/** For the whole call, the answer included. */
const TIMEOUT_MS = 10_000;
const BATCH = 100;

/** Answers by which a receiver refuses one message. Others, such as 404, are about the address: then every message waits. */
const REFUSED: ReadonlySet<number> = new Set([400, 406, 409, 411, 413, 414, 415, 422, 431]);
/** So often refused, a message is given up, so that it does not stop the later ones for ever. */
const MOST_REFUSALS = 5;

/**
 * Sends what has not been sent, oldest first, one message each. It stops at the first failure.
 * @throws Error if the receiver did not accept a message; the job is then retried
 */
export async function sendAlerts(ctx: Context): Promise<void> {
  const { stripe, alertWebhookUrl } = env();
  if (!stripe || !alertWebhookUrl) return;
  const where = { sentAt: null, failedAt: null };
  for (;;) {
    const unsent = await prisma().alert.findMany({ where, orderBy: { id: "asc" }, take: BATCH });
    for (const alert of unsent) await send(ctx, alertWebhookUrl, alert);
    if (unsent.length < BATCH) return;
  }
}

async function send(ctx: Context, url: string, { id, kind, subjectId, text, ...earlier }: Alert): Promise<void> {
  const status = await post(url, text);
  if (status >= 200 && status <= 299) {
    await prisma().alert.update({ where: { id }, data: { sentAt: ctx.clock.now() } });
    return;
  }
  const attempts = earlier.attempts + (REFUSED.has(status) ? 1 : 0);
  const isGivenUp = attempts >= MOST_REFUSALS;
  await prisma().alert.update({ where: { id }, data: { attempts, failedAt: isGivenUp ? ctx.clock.now() : null } });
  if (!isGivenUp) throw new Error(`ALERT_WEBHOOK_URL answered with status ${status}.`);
  log().error({ kind, subject: subjectId, status }, "an alert was refused too often and is not sent");
}

/** Posts one message. Its errors never name the address, which is a secret. @returns the status of the answer @throws Error */
async function post(url: string, text: string): Promise<number> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "User-Agent": "Guildhall (alerts)" },
      body: JSON.stringify({ text: escapeText(text) }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // What it says is of no interest.
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    throw new Error(
      isLate ? "ALERT_WEBHOOK_URL did not answer within ten seconds." : "ALERT_WEBHOOK_URL could not be reached.",
    );
  }
}

/** Slack takes these three characters for its own marks. Pure. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
