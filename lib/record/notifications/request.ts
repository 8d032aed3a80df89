import webPush from "web-push";
import type { OwnerChannel } from "#lib/db/generated/client.ts";
import { env } from "#lib/kernel/env.ts";
import type { Delivery } from "../webhooks/send.ts";
import { type Address, pushPublicKey } from "./address.ts";
import { type Told, writeHook } from "./message.ts";

/** How long a push service keeps what it cannot deliver, in seconds. */
const PUSH_TTL = 24 * 3_600;

/** The request that tells a channel. */
export function requestFor(kind: OwnerChannel["kind"], { url, keys }: Address, told: Told): Delivery {
  return kind === "push" && keys ? pushRequest({ endpoint: url, keys }, told) : writeHook(kind, url, told);
}

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

function pushRequest(subscription: Subscription, told: Told): Delivery {
  const { vapidPrivateKey: privateKey = "", baseUrl, securityContact } = env();
  // Push services want to know whom to ask. A service without https has no public address to name.
  const contact = baseUrl.startsWith("https:") ? baseUrl : "mailto:nobody@invalid.example";
  const subject = securityContact?.startsWith("mailto:") ? securityContact : contact;
  const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(told), {
    TTL: PUSH_TTL,
    vapidDetails: { subject, publicKey: pushPublicKey() ?? "", privateKey },
  });
  return { url: subscription.endpoint, headers: textsOf(headers), body: body ?? "" };
}

const textsOf = (headers: object) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
