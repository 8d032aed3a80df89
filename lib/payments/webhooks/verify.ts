import Stripe from "stripe";
import { z } from "zod";
import type { StripeEnv } from "#lib/kernel/env/stripe.ts";

/** How far a signature's time may differ from ours, in either direction. */
export const TOLERANCE_SECONDS = 300;

/** Which of Stripe's event destinations sent an event: the one for the platform's account, or for connected accounts. */
export type Destination = "platform" | "connect";

/** What is stored of an event: its object and account. Its content is not, because the object is read at Stripe instead. */
export type Delivery = {
  id: string;
  type: string;
  livemode: boolean;
  account: string | null;
  objectId: string | null;
  createdAt: Date;
};

const Id = z.string().regex(/^[A-Za-z0-9_]{1,255}$/);
const Type = z.string().regex(/^[a-z0-9_.[\]]{1,100}$/);
const Snapshot = z.object({
  object: z.literal("event"),
  id: Id,
  type: Type,
  livemode: z.boolean(),
  created: z.int().positive(),
  account: Id.nullish(),
  data: z.object({ object: z.object({ id: Id.nullish() }) }),
});
const Thin = z.object({
  object: z.literal("v2.core.event"),
  id: Id,
  type: Type,
  livemode: z.boolean(),
  created: z.iso.datetime({ offset: true }),
  context: z.string().max(255).nullish(),
  related_object: z.object({ id: Id }).nullish(),
});

/**
 * Reads the event in a delivery that Stripe signed with one of this address's secrets, within the tolerance; otherwise undefined.
 * @param raw the body exactly as it was received, because the signature covers its bytes
 */
export function verify(
  raw: Uint8Array,
  signature: string | null,
  secrets: readonly string[],
  now: Date,
): Delivery | undefined {
  if (!signature || signature.length > 2_000) return undefined;
  return secrets.some((secret) => isSigned(raw, signature, secret, now)) ? read(raw) : undefined;
}

/**
 * Whether an event belongs to the mode that this service runs in. Stripe sends test events to live addresses too, for accounts
 * that were connected in live mode.
 */
export function isOurMode({ livemode }: Delivery, { rehearsal }: Pick<StripeEnv, "rehearsal">): boolean {
  return livemode === !rehearsal;
}

function isSigned(raw: Uint8Array, header: string, secret: string, now: Date): boolean {
  // The package refuses old signatures, but not those from the future.
  const times = [...header.matchAll(/(?:^|,)t=(\d{1,12})(?=,|$)/g)].map(([, seconds]) => Number(seconds));
  const [time] = times;
  if (times.length !== 1 || time === undefined || Math.abs(now.getTime() / 1000 - time) > TOLERANCE_SECONDS)
    return false;
  try {
    return (
      Stripe.webhooks.signature?.verifyHeader(
        raw,
        header,
        secret,
        TOLERANCE_SECONDS,
        undefined,
        Math.floor(now.getTime() / 1000),
      ) === true
    );
  } catch {
    return false;
  }
}

function read(raw: Uint8Array): Delivery | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(raw));
  } catch {
    return undefined;
  }
  const snapshot = Snapshot.safeParse(value);
  if (snapshot.success) {
    const { id, type, livemode, account, created, data } = snapshot.data;
    return {
      id,
      type,
      livemode,
      account: account ?? null,
      objectId: data.object.id ?? null,
      createdAt: new Date(created * 1000),
    };
  }
  const thin = Thin.safeParse(value);
  if (!thin.success) return undefined;
  const { id, type, livemode, created, context, related_object: about } = thin.data;
  // The context is the account, or a path of accounts that ends in it.
  const account = context?.split("/").at(-1) ?? "";
  return {
    id,
    type,
    livemode,
    account: account.startsWith("acct_") && Id.safeParse(account).success ? account : null,
    objectId: about?.id ?? null,
    createdAt: new Date(created),
  };
}
