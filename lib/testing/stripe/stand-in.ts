import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { accountChanged, newAccount } from "./accounts.ts";
import { type Books, booksOf } from "./books.ts";
import { Deliveries, type Delivery, type DeliveryPolicy, type Endpoints, type SigningOptions } from "./deliveries.ts";
import { Exchange, type Outcome } from "./exchange.ts";
import { type Fault, Faults, matchesCall } from "./faults.ts";
import { closeDispute, openDispute, refundIntent } from "./money-back.ts";
import { checkoutPage, onboardingPage } from "./pages.ts";
import { payoutArrived, payoutFailed, startPayout } from "./payouts.ts";
import { Chance } from "./random.ts";
import { expireOverdue, expireSession, payWithCard } from "./sessions.ts";
import { reverseTransfer } from "./transfers.ts";
import { API_VERSION, type ConnectedAccount, find, type StandInEvent, World } from "./world.ts";

export type StandInOptions = {
  /** The same seed gives the same IDs and the same chances. */
  seed?: number | string;
  /** LIVE unless false: decides the key, the IDs and `livemode` of every object. */
  livemode?: boolean;
  /** Its time before `advance`; that of the machine when absent. Signatures always carry this time. */
  clock?: () => Date;
  /** How long a card payment is pending. */
  settleSeconds?: number;
  /** Payment methods that are switched on in the platform's settings. */
  enabledMethods?: string[];
  /** Where webhooks go. Its own controls are the only ones that cause events. */
  endpoints?: Endpoints;
  /** `"off"` unless given: then events wait for `deliver`. */
  delivery?: DeliveryPolicy | "off";
  port?: number;
};

/** One call that has come in. */
export type SeenCall = { method: string; path: string; key: string | undefined; status: number; broken: boolean };

type Hold = { call: string; when: "before" | "after"; opened: Promise<void>; reach: () => void };

/**
 * A Stripe of one's own on 127.0.0.1, to which the real `stripe` package talks. It keeps its own books, fails where it is told to,
 * and refuses every parameter that Stripe's types do not have.
 */
export class StripeStandIn {
  readonly secretKey: string;
  readonly world: World;
  readonly deliveries: Deliveries;
  /** Every call to the interface, in order. Pages for people do not count. */
  readonly calls: SeenCall[] = [];
  /** TCP connections so far. */
  connections = 0;
  readonly #server: Server;
  readonly #faults: Faults;
  readonly #exchange: Exchange;
  readonly #holds: Hold[] = [];

  private constructor(options: StandInOptions) {
    const { seed = 1, livemode = true, clock = () => new Date() } = options;
    this.secretKey = ["sk", livemode ? "live" : "test", "standin"].join("_");
    this.world = new World({
      seed,
      livemode,
      clock,
      settleSeconds: options.settleSeconds ?? 2 * 86_400,
      enabledMethods: options.enabledMethods ?? ["card", "link", "klarna"],
      baseUrl: () => `http://127.0.0.1:${this.port}`,
    });
    this.#faults = new Faults(new Chance(`${seed}:faults`));
    this.#exchange = new Exchange(this.world, this.#faults, this.secretKey);
    this.deliveries = new Deliveries(new Chance(`${seed}:deliveries`), clock);
    this.deliveries.endpoints = options.endpoints;
    this.deliveries.policy = options.delivery ?? "off";
    this.world.onEvent = (event) => this.deliveries.offer(event);
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on("connection", () => {
      this.connections += 1;
    });
  }

  static async start(options: StandInOptions = {}): Promise<StripeStandIn> {
    const standIn = new StripeStandIn(options);
    await new Promise<void>((resolve) => standIn.#server.listen(options.port ?? 0, "127.0.0.1", resolve));
    return standIn;
  }

  /** Stops at once; what waits for an answer gets none. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
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

  // Customers and card holders.

  /** The customer pays by card, or the card is declined, which leaves the session open. */
  pay(session: string, outcome: "succeed" | "decline" = "succeed"): void {
    payWithCard(this.world, find(this.world.sessions, "checkout.session", session), outcome);
  }

  expire(session: string): void {
    expireSession(this.world, find(this.world.sessions, "checkout.session", session));
  }

  /** Refunds a PaymentIntent, wholly unless an amount is given; transfers stay where they are. */
  refund(intent: string, amountPence?: number): Stripe.Refund {
    return refundIntent(this.world, find(this.world.intents, "payment_intent", intent), amountPence);
  }

  openDispute(intent: string): Stripe.Dispute {
    return openDispute(this.world, find(this.world.intents, "payment_intent", intent));
  }

  closeDispute(dispute: string, outcome: "won" | "lost"): void {
    closeDispute(this.world, find(this.world.disputes, "dispute", dispute), outcome);
  }

  // Connected accounts.

  /** An account of the kind before version 2. */
  createV1Account(): string {
    return newAccount(this.world, 1).id;
  }

  /** The holder has told everything: transfers and payouts are active, nothing is asked. */
  activate(account: string): void {
    this.#change(account, { transfers: "active", payouts: "active", requirements: [], verified: true });
  }

  /** Something is asked of the holder; past due, it also stops transfers and payouts. */
  require(account: string, description: string, status: "currently_due" | "past_due" = "currently_due"): void {
    const { requirements } = find(this.world.accounts, "account", account);
    this.#change(account, {
      requirements: [...requirements, { description, status }],
      ...(status === "past_due" ? { transfers: "restricted", payouts: "restricted" } : {}),
    });
  }

  /** Stops transfers, payouts, or both, without asking anything. */
  restrict(account: string, what: "transfers" | "payouts" | "both" = "both"): void {
    this.#change(account, {
      ...(what === "payouts" ? {} : { transfers: "restricted" }),
      ...(what === "transfers" ? {} : { payouts: "restricted" }),
    });
  }

  #change(id: string, change: Partial<ConnectedAccount>): void {
    const account = Object.assign(find(this.world.accounts, "account", id), change);
    accountChanged(this.world, account);
  }

  // Money between accounts and banks.

  /** Takes a transfer back, wholly unless an amount is given, even where the account then owes. */
  reverse(transfer: string, amountPence?: number): Stripe.TransferReversal {
    return reverseTransfer(this.world, find(this.world.transfers, "transfer", transfer), amountPence, { forced: true });
  }

  /** Sends what is available in the account to its bank. It is under way until `payoutPaid`. */
  payout(account: string): string {
    return startPayout(this.world, account).id;
  }

  payoutPaid(payout: string): void {
    payoutArrived(this.world, find(this.world.payouts, "payout", payout));
  }

  /** Also after `payoutPaid`: banks send money back for days. */
  failPayout(payout: string): void {
    payoutFailed(this.world, find(this.world.payouts, "payout", payout));
  }

  /** Lets time pass: charges settle, sessions expire, idempotency keys are forgotten. */
  advance(seconds: number): void {
    this.world.advance(seconds);
    expireOverdue(this.world);
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

  /** Keeps calls like `POST /v1/transfers` waiting, before they begin, until the answer is called. */
  hold(call: string): () => void {
    return this.pause(call, "before").release;
  }

  /** The same, before a call takes effect or after; `reached` resolves when the first one waits. */
  pause(call: string, when: "before" | "after"): { reached: Promise<void>; release: () => void } {
    const opening = Promise.withResolvers<void>();
    const reaching = Promise.withResolvers<void>();
    const held: Hold = { call, when, opened: opening.promise, reach: reaching.resolve };
    this.#holds.push(held);
    const release = () => {
      this.#holds.splice(this.#holds.indexOf(held), 1);
      opening.resolve();
    };
    return { reached: reaching.promise, release };
  }

  async #waitWhileHeld(when: Hold["when"], method: string, path: string): Promise<void> {
    for (const hold of [...this.#holds])
      if (hold.when === when && matchesCall(hold.call, method, path)) {
        hold.reach();
        await hold.opened;
      }
  }

  // What has happened.

  get events(): readonly StandInEvent[] {
    return this.world.events;
  }

  /** Delivers events one after the other in the order given, over HTTP. */
  deliver(events: readonly StandInEvent[], options?: SigningOptions): Promise<Delivery[]> {
    return this.deliveries.deliver(events, options);
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

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://stand-in");
    const method = request.method ?? "GET";
    let body = "";
    try {
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
    } catch {
      // The client has gone.
      return;
    }
    if (url.pathname.startsWith("/c/")) {
      this.#servePage(method, url, new URLSearchParams(body), response);
      return;
    }
    await this.#waitWhileHeld("before", method, url.pathname);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]),
    );
    const outcome = await this.#exchange.answer({ method, url, headers, body });
    const { status } = outcome.answer;
    const broken = outcome.broken !== undefined;
    this.calls.push({ method, path: url.pathname, key: headers["idempotency-key"], status, broken });
    await this.#waitWhileHeld("after", method, url.pathname);
    send(response, outcome);
  }

  #servePage(method: string, url: URL, form: URLSearchParams, response: ServerResponse): void {
    const [, , kind, id = ""] = url.pathname.split("/");
    const to = (location: string) => response.writeHead(303, { Location: location }).end();
    const html = (text: string) => response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(text);
    const session = this.world.sessions.get(id);
    const account = this.world.accounts.get(id);
    expireOverdue(this.world);
    if (kind === "pay" && session) {
      if (method === "GET" || session.status !== "open") html(checkoutPage(session, url.searchParams.has("declined")));
      else if (form.get("do") === "back") to(session.cancel_url ?? url.pathname);
      else if (form.get("do") === "decline") {
        this.pay(id, "decline");
        to(`${url.pathname}?declined`);
      } else {
        this.pay(id);
        to((session.success_url ?? url.pathname).replaceAll("{CHECKOUT_SESSION_ID}", id));
      }
    } else if (kind === "onboard" && account) {
      if (method === "GET") html(onboardingPage(account, url.searchParams.get("return") ?? ""));
      else {
        if (form.get("do") === "submit") this.activate(id);
        to(form.get("return") || url.pathname);
      }
    } else response.writeHead(404).end();
  }
}

function send(response: ServerResponse, { answer, headers, broken }: Outcome): void {
  if (broken === "timeout") return;
  if (broken === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const body = JSON.stringify(answer.body);
  response.writeHead(answer.status, {
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  if (broken === "truncated") {
    response.write(body.slice(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
    return;
  }
  response.end(body);
}

export { API_VERSION };
