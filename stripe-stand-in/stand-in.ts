import Stripe from "stripe";
import { type Books, booksOf } from "./books.ts";
import { Controls } from "./controls.ts";
import { Deliveries, type DeliveryPolicy, type Endpoints, type SigningOptions } from "./deliveries.ts";
import { Door, type SeenCall } from "./door.ts";
import { Exchange } from "./exchange.ts";
import { type Fault, Faults } from "./faults.ts";
import { Holds } from "./holds.ts";
import { Chance } from "./random.ts";
import { expireOverdue } from "./sessions.ts";
import { type StandInEvent, World } from "./world.ts";

export type StandInOptions = {
  /** The same seed gives the same IDs and the same chances. */
  seed?: number | string;
  /** LIVE unless false: decides the key, the IDs and `livemode` of every object. */
  livemode?: boolean;
  /** How long a card payment is pending. */
  settleSeconds?: number;
  /** Where webhooks go. Its own controls are the only ones that cause events. */
  endpoints?: Endpoints;
  /** How events are delivered by themselves; without it they wait to be handed in. */
  delivery?: DeliveryPolicy;
};

/**
 * A Stripe of one's own on 127.0.0.1, to which the real `stripe` package talks. It keeps its own books, fails where it is told to,
 * and refuses every parameter that Stripe's types do not have.
 */
export class StripeStandIn extends Controls {
  readonly secretKey: string;
  readonly deliveries: Deliveries;
  readonly #faults: Faults;
  readonly #exchange: Exchange;
  readonly #holds = new Holds();
  readonly #door: Door;

  private constructor(options: StandInOptions) {
    const { seed = 1, livemode = true, settleSeconds = 2 * 86_400 } = options;
    super(
      new World({
        seed,
        livemode,
        settleSeconds,
        enabledMethods: ["card", "link", "klarna"],
        baseUrl: () => `http://127.0.0.1:${this.port}`,
      }),
    );
    this.secretKey = ["sk", livemode ? "live" : "test", "standin"].join("_");
    this.#faults = new Faults(new Chance(`${seed}:faults`));
    this.#exchange = new Exchange(this.world, this.#faults, this.secretKey);
    this.deliveries = new Deliveries(new Chance(`${seed}:deliveries`), options.endpoints, options.delivery);
    this.world.onEvent = (event) => this.deliveries.offer(event);
    this.#door = new Door(this.world, this.#exchange, this.#holds);
  }

  static async start(options: StandInOptions = {}): Promise<StripeStandIn> {
    const standIn = new StripeStandIn(options);
    await standIn.#door.open();
    return standIn;
  }

  /** Stops at once; what waits for an answer gets none. */
  close(): Promise<void> {
    return this.#door.close();
  }

  get port(): number {
    return this.#door.port;
  }

  /** Every call to the interface, in order. Pages for people do not count. */
  get calls(): readonly SeenCall[] {
    return this.#door.calls;
  }

  /** TCP connections so far. */
  get connections(): number {
    return this.#door.connections;
  }

  /** A client of the real package that talks to this stand-in, and repeats nothing by itself. */
  client(config: Stripe.StripeConfig = {}): Stripe {
    return new Stripe(this.secretKey, {
      host: "127.0.0.1",
      port: this.port,
      protocol: "http",
      telemetry: false,
      maxNetworkRetries: 0,
      ...config,
    });
  }

  // Trouble.

  /** Lets calls fail. Calls that the client repeats by itself count too: a reset is repeated once. */
  fail(fault: Fault): void {
    this.#faults.add(fault);
  }

  /** Ends every failure that was asked for. */
  heal(): void {
    this.#faults.clear();
  }

  set latencyMs(ms: number) {
    this.#exchange.latencyMs = ms;
  }

  /**
   * Keeps calls like `POST /v1/transfers` waiting, before they take effect or after, until `release` is called; `reached`
   * resolves when the first one waits.
   */
  pause(call: string, when: "before" | "after"): { reached: Promise<void>; release: () => void } {
    return this.#holds.pause(call, when);
  }

  // What has happened.

  get events(): readonly StandInEvent[] {
    return this.world.events;
  }

  /** The request with which an event would come, for whoever hands it in without a network. */
  sign(event: StandInEvent, options?: SigningOptions): { url: string; headers: Record<string, string>; body: string } {
    return this.deliveries.sign(event, options);
  }

  /** What is true about the money. */
  books(): Books {
    expireOverdue(this.world);
    return booksOf(this.world);
  }
}
