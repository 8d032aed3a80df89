import type Stripe from "stripe";
import { newPlatform, type Platform } from "./platform.ts";
import { Chance } from "./random.ts";
import { missing } from "./refusal.ts";

export const API_VERSION = "2026-10-28.endive";

/** A version 1 event: it contains the object as it was at that moment. */
export type SnapshotEvent = {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  type: Stripe.Event["type"];
  livemode: boolean;
  account?: string;
  data: { object: object };
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
};

/** A version 2 event: it only names the object; the receiver fetches its state. */
export type ThinEvent = {
  id: string;
  object: "v2.core.event";
  created: string;
  type: Stripe.V2.Core.Event["type"];
  livemode: boolean;
  /** The connected account that it comes from. */
  context: string;
  related_object: { id: string; type: "v2.core.account"; url: string };
};
export type StandInEvent = SnapshotEvent | ThinEvent;

export type Requirement = {
  description: string;
  status: "currently_due" | "past_due" | "eventually_due";
  /** Stripe itself still has to look at it. */
  awaiting?: "stripe";
};

type CapabilityStatus = "active" | "pending" | "restricted";

/** A connected account with everything that either API version shows. */
export type ConnectedAccount = {
  id: string;
  version: 1 | 2;
  createdMs: number;
  transfers: CapabilityStatus;
  payouts: CapabilityStatus;
  /** What Stripe still requires from the account's holder. */
  requirements: Requirement[];
  /** What the last set-up link collects. */
  collects: "currently_due" | "eventually_due";
  verified: boolean;
  closed: boolean;
  contactEmail: string | undefined;
  /** For how many days its money is kept before it is paid out, if that was changed. */
  delayDays?: number | undefined;
  displayName: string | undefined;
  country: string;
  dashboard: "express" | "full" | "none";
  responsibilities: Stripe.V2.Core.Account.Defaults.Responsibilities;
  metadata: Record<string, string>;
};

/** One line in an account's balance. */
export type Line = Stripe.BalanceTransaction & { account: string | undefined; payout: string | undefined };

/** How a refund begins. */
export type RefundStart = "succeeded" | "pending" | "waits_for_balance";

type WorldOptions = {
  seed: number | string;
  livemode: boolean;
  settleSeconds: number;
  /** Payment methods that are enabled in the platform's settings. */
  enabledMethods: string[];
  baseUrl: () => string;
};

/** The state of the stand-in. Its clock is the machine's plus what `advance` has added. */
export class World {
  readonly sessions = new Map<string, Stripe.Checkout.Session>();
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly disputes = new Map<string, Stripe.Dispute>();
  readonly transfers = new Map<string, Stripe.Transfer>();
  readonly payouts = new Map<string, Stripe.Payout & { account: string }>();
  readonly accounts = new Map<string, ConnectedAccount>();
  readonly lines = new Map<string, Line>();
  readonly events: StandInEvent[] = [];
  readonly platform: Platform = newPlatform();
  readonly fraudWarnings = new Map<string, Stripe.Radar.EarlyFraudWarning>();
  readonly reviews = new Map<string, Stripe.Review>();
  /** How long a charge has no balance transaction, as with asynchronous capture: until then it is not in the balance. */
  balanceDelaySeconds = 0;
  /** Charges without one, and when they get it, in Unix seconds. */
  readonly unbalanced = new Map<string, number>();
  /** Whether the money of a reversed transfer can be transferred from its charge again. Stripe does not document which. */
  reversalFreesCharge = true;
  /** How refunds begin. One that waits for balance has moved nothing yet. */
  refundStart: RefundStart = "succeeded";
  readonly chance: Chance;
  readonly options: WorldOptions;
  /** Called with every new event. */
  onEvent: (event: StandInEvent) => void = () => undefined;
  #advancedMs = 0;

  constructor(options: WorldOptions) {
    this.options = options;
    this.chance = new Chance(options.seed);
  }

  get livemode(): boolean {
    return this.options.livemode;
  }

  nowMs(): number {
    return Date.now() + this.#advancedMs;
  }

  /** Unix seconds. */
  now(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  advance(seconds: number): void {
    this.#advancedMs += seconds * 1000;
  }

  id(prefix: string): string {
    return this.chance.id(prefix);
  }

  emit(type: SnapshotEvent["type"], object: object, account?: string): SnapshotEvent {
    const event: SnapshotEvent = {
      id: this.id("evt"),
      object: "event",
      api_version: API_VERSION,
      created: this.now(),
      type,
      livemode: this.livemode,
      ...(account ? { account } : {}),
      data: { object: structuredClone(object) },
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
    };
    this.events.push(event);
    this.onEvent(event);
    return event;
  }

  emitThin(type: ThinEvent["type"], account: string): ThinEvent {
    const event: ThinEvent = {
      id: this.id("evt"),
      object: "v2.core.event",
      created: new Date(this.nowMs()).toISOString(),
      type,
      livemode: this.livemode,
      context: account,
      related_object: { id: account, type: "v2.core.account", url: `/v2/core/accounts/${account}` },
    };
    this.events.push(event);
    this.onEvent(event);
    return event;
  }
}

/** @throws Refusal 404 */
export function find<T>(things: ReadonlyMap<string, T>, kind: string, id: string): T {
  const thing = things.get(id);
  if (thing === undefined) throw missing(kind, id);
  return thing;
}
