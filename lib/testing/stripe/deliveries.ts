import Stripe from "stripe";
import { isThin } from "./events.ts";
import type { Chance } from "./random.ts";
import type { StandInEvent } from "./world.ts";

export type WebhookEndpoint = { url: string; secret: string };
export type Endpoints = { platform: WebhookEndpoint; connect: WebhookEndpoint };

/** How events are delivered by themselves. Without a policy they come once each, in order, at once. */
export type DeliveryPolicy = {
  /** Each event comes 1 to so many times. */
  copies?: number;
  /** Milliseconds before each delivery, from and to. */
  delayMs?: [from: number, to: number];
  /** Whatever waits is delivered in any order. */
  reorder?: boolean;
  /** The share of events that never comes, from 0 to 1. */
  dropShare?: number;
  /** The share of events beside which a twin of the other mode comes. */
  wrongModeShare?: number;
  /** Further attempts until a 2xx. */
  retries?: number;
};

export type Delivery = { eventId: string; type: string; endpoint: keyof Endpoints; status: number };

export type SigningOptions = {
  /** Unix seconds in the signature; now when absent. */
  timestamp?: number;
  secret?: string;
  endpoint?: keyof Endpoints;
};

/** Signs and delivers events. */
export class Deliveries {
  readonly done: Delivery[] = [];
  policy: DeliveryPolicy | "off" = "off";
  endpoints: Endpoints | undefined;
  readonly #chance: Chance;
  readonly #clock: () => Date;
  #waiting: StandInEvent[] = [];
  #pumping: Promise<void> | undefined;

  constructor(chance: Chance, clock: () => Date) {
    this.#chance = chance;
    this.#clock = clock;
  }

  /** A request as Stripe would send it. @throws Error before `endpoints` are set */
  sign(
    event: StandInEvent,
    options: SigningOptions = {},
  ): { url: string; headers: Record<string, string>; body: string } {
    const body = JSON.stringify(event, null, 2);
    const { url, secret } = this.#endpoint(options.endpoint ?? endpointOf(event));
    const timestamp = options.timestamp ?? Math.floor(this.#clock().getTime() / 1000);
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

  #endpoint(name: keyof Endpoints): WebhookEndpoint {
    if (!this.endpoints) throw new Error("Set the endpoints before events are delivered.");
    return this.endpoints[name];
  }

  /** Delivers these events one after the other, in this order, whatever the policy. */
  async deliver(events: readonly StandInEvent[], options: SigningOptions = {}): Promise<Delivery[]> {
    const made: Delivery[] = [];
    for (const event of events) made.push(await this.#send(event, options));
    return made;
  }

  /** Called with every new event. */
  offer(event: StandInEvent): void {
    const { policy } = this;
    if (policy === "off") return;
    if (this.#chance.next() < (policy.dropShare ?? 0)) return;
    for (let copy = this.#chance.between(1, policy.copies ?? 1); copy > 0; copy--) this.#waiting.push(event);
    if (this.#chance.next() < (policy.wrongModeShare ?? 0))
      this.#waiting.push({ ...event, id: this.#chance.id("evt"), livemode: !event.livemode });
    this.#pumping ??= this.#pump(policy).finally(() => {
      this.#pumping = undefined;
    });
  }

  /** Resolves when nothing waits. */
  async settled(): Promise<void> {
    while (this.#pumping) await this.#pumping;
  }

  async #pump(policy: DeliveryPolicy): Promise<void> {
    // Events that one call causes are all there before the first goes out.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const at = policy.reorder ? this.#chance.between(0, this.#waiting.length - 1) : 0;
      const [event] = this.#waiting.splice(at, 1);
      if (!event) return;
      if (policy.delayMs) {
        const wait = this.#chance.between(...policy.delayMs);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
      for (let attempts = 1 + (policy.retries ?? 0); attempts > 0; attempts--) {
        const { status } = await this.#send(event);
        if (status >= 200 && status < 300) break;
      }
    }
  }

  async #send(event: StandInEvent, options: SigningOptions = {}): Promise<Delivery> {
    const { url, headers, body } = this.sign(event, options);
    const status = await fetch(url, { method: "POST", headers, body, redirect: "manual" }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    const endpoint = options.endpoint ?? endpointOf(event);
    const delivery: Delivery = { eventId: event.id, type: event.type, endpoint, status };
    this.done.push(delivery);
    return delivery;
  }
}

/** Events of connected accounts go to the endpoint for those; the platform's own, and thin events, to its own. */
export function endpointOf(event: StandInEvent): keyof Endpoints {
  return isThin(event) || event.account === undefined ? "platform" : "connect";
}
