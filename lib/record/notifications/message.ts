import webPush from "web-push";
import type { OwnerChannel } from "#lib/db/generated/client.ts";
import { iso } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import type { Delivery } from "../delivery/send.ts";
import { type Address, pushPublicKey } from "./address.ts";
import { KIND_WORDS, type NotificationKind } from "./schema.ts";

/** A message: its kind, the agent and a link. Never a brief, an amount, or anything that decides. */
export type Told = {
  kind: NotificationKind | "test";
  title: string;
  agent: { public_id: string; name: string } | null;
  link: string;
  at: string;
};

type Facts = { kind: string; agentId: string | null; agentName: string | null; at: Date };

/** The page on which the owner sees what happened. */
const PAGES: Record<NotificationKind, (agentId: string | null) => string> = {
  approval: () => "/workspace/inbox",
  dispute: () => "/workspace/inbox",
  review: () => "/workspace/inbox",
  domain: (agentId) => `/workspace/agents/${agentId}/service`,
  webhook: (agentId) => `/workspace/agents/${agentId}/webhook`,
  sign_in: () => "/workspace/account/security",
};

export function writeTold({ kind, agentId, agentName, at }: Facts): Told {
  const known = kind as NotificationKind;
  const agent = agentId && { public_id: agentId, name: agentName ?? agentId };
  return {
    kind: known,
    title: KIND_WORDS[known],
    agent: agent || null,
    link: env().baseUrl + PAGES[known](agentId),
    at: iso(at),
  };
}

export function writeTest(at: Date): Told {
  return { kind: "test", title: "Test", agent: null, link: `${env().baseUrl}/workspace/account`, at: iso(at) };
}

/** How long a push service keeps what it cannot deliver, in seconds. */
const PUSH_TTL = 24 * 3_600;

/** The request that tells a channel. */
export function requestFor(kind: OwnerChannel["kind"], { url, keys }: Address, told: Told): Delivery {
  if (kind === "push" && keys) return pushRequest({ endpoint: url, keys }, told);
  const { url: to, body } = kind === "ntfy" ? ntfy(url, told) : { url, body: kind === "slack" ? slack(told) : told };
  return { url: to, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

/** Slack reads `<…>` as a link or a mention, which a name must not become. */
function slack({ title, agent, link }: Told) {
  const plain = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return { text: `${title}${agent ? `: ${plain(agent.name)} (${agent.public_id})` : ""}\n<${link}>` };
}

/** ntfy takes JSON at its root, with the topic inside. */
function ntfy(url: string, { title, agent, link }: Told) {
  const { origin, pathname, search } = new URL(url);
  const message = agent ? `${agent.name} (${agent.public_id})` : "Guildhall";
  return { url: `${origin}/${search}`, body: { topic: pathname.slice(1), title, message, click: link } };
}

function pushRequest(subscription: webPush.PushSubscription, told: Told): Delivery {
  const { vapidPrivateKey: privateKey = "", baseUrl, securityContact } = env();
  // Push services want to know whom to ask. A service without https has no public address to name.
  const contact = baseUrl.startsWith("https:") ? baseUrl : "mailto:nobody@invalid.example";
  const subject = securityContact?.startsWith("mailto:") ? securityContact : contact;
  const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(told), {
    TTL: PUSH_TTL,
    vapidDetails: { subject, publicKey: pushPublicKey() ?? "", privateKey },
  });
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { url: subscription.endpoint, headers: Object.fromEntries(texts), body: body ?? "" };
}
