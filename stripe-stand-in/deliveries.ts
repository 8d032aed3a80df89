import Stripe from "stripe";
import { isThin } from "./events.ts";
import type { Chance } from "./random.ts";
import type { StandInEvent } from "./world.ts";

type WebhookEndpoint = { url: string; secret: string };
/**
 * The event destinations, each with one form of payload and a secret of its own: snapshot events of the platform, snapshot events of
 * connected accounts, and thin events of connected accounts.
 */
export type Endpoints = { platform: WebhookEndpoint; connect: WebhookEndpoint; accounts: WebhookEndpoint };

/** How events are delivered automatically. An empty policy delivers each once, in order and immediately. */
export type DeliveryPolicy = {
  /** Each event is delivered from once to this many times. */
  copies?: number;
  /** Delay before each delivery in milliseconds, least and most. */
  delayMs?: [from: number, to: number];
  /** Delivers waiting events in random order. */
  reorder?: boolean;
  /** Further attempts until a 2xx. */
  retries?: number;
};

export type SigningOptions = {
  /** Unix seconds in the signature; default now. */
  timestamp?: number;
  secret?: string;
  endpoint?: keyof Endpoints;
};

/** Signs and delivers events. */
export class Deliveries {
  readonly #chance: Chance;
  readonly #endpoints: Endpoints | undefined;
  readonly #policy: DeliveryPolicy | undefined;
  #waiting: StandInEvent[] = [];
  #pumping: Promise<void> | undefined;

  /** @param policy without one, nothing is delivered automatically */
  constructor(chance: Chance, endpoints: Endpoints | undefined, policy: DeliveryPolicy | undefined) {
    this.#chance = chance;
    this.#endpoints = endpoints;
    this.#policy = policy;
  }

  /** A request as Stripe would send it. @throws Error where there are no endpoints */
  sign(
    event: StandInEvent,
    options: SigningOptions = {},
  ): { url: string; headers: Record<string, string>; body: string } {
    const body = JSON.stringify(event, null, 2);
    if (!this.#endpoints) throw new Error("This stand-in has no endpoints to deliver to.");
    const { url, secret } = this.#endpoints[options.endpoint ?? endpointOf(event)];
    const timestamp = options.timestamp ?? Math.floor(Date.now() / 1000);
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: options.secret ?? secret,
      timestamp,
    });
    return {
      url,
      headers: { "Content-Type": "application/json; charset=utf-8", "Stripe-Signature": signature },
      body,
    };
  }

  /** Called with every new event. */
  offer(event: StandInEvent): void {
    const policy = this.#policy;
    if (!policy) return;
    for (let copy = this.#chance.between(1, policy.copies ?? 1); copy > 0; copy--) this.#waiting.push(event);
    this.#pumping ??= this.#pump(policy).finally(() => {
      this.#pumping = undefined;
    });
  }

  /** Resolves when nothing waits. */
  async settled(): Promise<void> {
    while (this.#pumping) await this.#pumping;
  }

  async #pump(policy: DeliveryPolicy): Promise<void> {
    // All events of one call exist before the first is sent.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const at = policy.reorder ? this.#chance.between(0, this.#waiting.length - 1) : 0;
      const [event] = this.#waiting.splice(at, 1);
      if (!event) return;
      if (policy.delayMs) {
        const wait = this.#chance.between(...policy.delayMs);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
      for (let attempts = 1 + (policy.retries ?? 0); attempts > 0; attempts--) if (await this.#send(event)) break;
    }
  }

  /** @returns whether it was accepted */
  #send(event: StandInEvent): Promise<boolean> {
    const { url, headers, body } = this.sign(event);
    return fetch(url, { method: "POST", headers, body, redirect: "manual" }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
  }
}

function endpointOf(event: StandInEvent): keyof Endpoints {
  if (isThin(event)) return "accounts";
  return event.account === undefined ? "platform" : "connect";
}
