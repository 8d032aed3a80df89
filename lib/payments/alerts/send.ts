import { prisma } from "#lib/db/client.ts";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";

/** For the whole call, the answer included. */
const TIMEOUT_MS = 10_000;
const BATCH = 100;

/**
 * Sends what has not been sent, oldest first, one message each. It stops at the first failure.
 * @throws Error if the receiver did not accept a message; the job is then retried
 */
export async function sendAlerts(ctx: Context): Promise<void> {
  const { stripe, alertWebhookUrl } = env();
  if (!stripe || !alertWebhookUrl) return;
  for (;;) {
    const unsent = await prisma().alert.findMany({ where: { sentAt: null }, orderBy: { id: "asc" }, take: BATCH });
    for (const { id, text } of unsent) {
      await post(alertWebhookUrl, text);
      await prisma().alert.update({ where: { id }, data: { sentAt: ctx.clock.now() } });
    }
    if (unsent.length < BATCH) return;
  }
}

/** Posts one message. Its errors never name the address, which is a secret. @throws Error */
async function post(url: string, text: string): Promise<void> {
  let status: number;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "User-Agent": "Guildhall (alerts)" },
      body: JSON.stringify({ text: escapeText(text) }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    // What it says is of no interest.
    await response.body?.cancel();
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    throw new Error(
      isLate ? "ALERT_WEBHOOK_URL did not answer within ten seconds." : "ALERT_WEBHOOK_URL could not be reached.",
    );
  }
  if (status < 200 || status > 299) throw new Error(`ALERT_WEBHOOK_URL answered with status ${status}.`);
}

/** Slack takes these three characters for its own marks. Pure. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
