import Stripe from "stripe";
import { type Books, booksOf } from "./books.ts";
import { Controls } from "./controls.ts";
import { Deliveries, type DeliveryPolicy, type Endpoints, type SigningOptions } from "./deliveries.ts";
import { Door, type SeenCall } from "./door.ts";
import { Exchange } from "./exchange.ts";
import { type Fault, Faults, Holds } from "./faults.ts";
import { destinationOf } from "./platform.ts";
import { Chance } from "./random.ts";
import type { Rights } from "./rights.ts";
import { letTimePass } from "./time.ts";
import { type StandInEvent, World } from "./world.ts";

export type StandInOptions = {
  /** The same seed gives the same IDs and the same order of deliveries. */
  seed?: number | string;
  /** Default true. Decides the secret key's prefix and `livemode` of every object. */
  livemode?: boolean;
  /** How long a card payment is pending. */
  settleSeconds?: number;
  /** What the operator has added to the platform's balance, in pence; default 0. */
  platformPence?: number;
  /** Where webhooks are delivered. */
  endpoints?: Endpoints;
  /** How events are delivered automatically; without it they wait until a test delivers them. */
  delivery?: DeliveryPolicy;
};

/**
 * A fake Stripe on 127.0.0.1, to which the real `stripe` package talks. It keeps its own books, fails on request,
 * and refuses every parameter that Stripe's definitions do not have.
 */
export class StripeStandIn extends Controls {
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
    const secretKey = ["sk", livemode ? "live" : "test", "standin"].join("_");
    this.#faults = new Faults();
    this.#exchange = new Exchange(this.world, this.#faults, secretKey);
    this.deliveries = new Deliveries(new Chance(`${seed}:deliveries`), options.endpoints, options.delivery);
    const { endpoints } = options;
    if (endpoints)
      this.world.platform.destinations.push(
        destinationOf(this.world, endpoints.platform.url, "snapshot", "@self"),
        destinationOf(this.world, endpoints.connect.url, "snapshot", "@accounts"),
        destinationOf(this.world, endpoints.accounts.url, "thin", "@accounts"),
      );
    this.world.onEvent = (event) => this.deliveries.offer(event);
    if (options.platformPence) this.topUp(options.platformPence);
    this.#door = new Door(this.world, this.#exchange, this.#holds);
  }

  get secretKey(): string {
    return this.#exchange.secretKey;
  }

  /** The operator rolls the secret key: calls with the old one get 401. @returns the old key */
  rollKey(to = `${this.secretKey}_rolled`): string {
    const old = this.secretKey;
    this.#exchange.secretKey = to;
    return old;
  }

  /** The operator takes rights from a restricted key, or gives them back; whatever it lacks gets 403. */
  get rights(): Rights {
    return this.#exchange.rights;
  }

  static async start(options: StandInOptions = {}): Promise<StripeStandIn> {
    const standIn = new StripeStandIn(options);
    await standIn.#door.open();
    return standIn;
  }

  /**
   * Stops immediately, without answering pending requests.
   * @throws Error if it would have answered otherwise than Stripe's definitions allow
   */
  async close(): Promise<void> {
    await this.#door.close();
    const [untrue] = this.#exchange.wrongAnswers;
    if (untrue) throw new Error(`The stand-in would have answered otherwise than Stripe: ${untrue}.`);
  }

  /** Requests that Stripe's definitions do not allow, other than for want of a parameter. They were refused. */
  get wrongRequests(): readonly string[] {
    return this.#exchange.wrongRequests;
  }

  get port(): number {
    return this.#door.port;
  }

  /** Every API call, in order. Pages for people are not included. */
  get calls(): readonly SeenCall[] {
    return this.#door.calls;
  }

  /** TCP connections so far. */
  get connections(): number {
    return this.#door.connections;
  }

  /** A client of the real package that talks to this stand-in and retries nothing. */
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

  // Faults.

  /** Makes calls fail. Automatic retries of the client count too: it retries once after a reset. */
  fail(fault: Fault): void {
    this.#faults.add(fault);
  }

  /** Lets the calls that failed with `when: "late"` take effect now. */
  landLate(): void {
    this.#exchange.landLate();
  }

  /** Removes all faults. */
  heal(): void {
    this.#faults.clear();
  }

  /**
   * Holds calls like `POST /v1/transfers` back, before or after they take effect, until `release` is called; `reached`
   * resolves when the first one is held.
   */
  pause(call: string, when: "before" | "after"): { reached: Promise<void>; release: () => void } {
    return this.#holds.pause(call, when);
  }

  // What has happened.

  get events(): readonly StandInEvent[] {
    return this.world.events;
  }

  /** The request that would deliver an event, for tests that pass it to the handler directly. */
  sign(event: StandInEvent, options?: SigningOptions): { url: string; headers: Record<string, string>; body: string } {
    return this.deliveries.sign(event, options);
  }

  /** Who has how much, according to Stripe. */
  books(): Books {
    letTimePass(this.world);
    return booksOf(this.world);
  }
}
