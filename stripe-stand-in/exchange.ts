import { createHash } from "node:crypto";
import { accountEndpoints } from "./accounts.ts";
import { balanceEndpoints } from "./balance.ts";
import { readRequest, wrongAnswer } from "./definitions.ts";
import type { Call, Endpoint } from "./endpoint.ts";
import { eventEndpoints } from "./events.ts";
import { expanded } from "./expand.ts";
import type { Fault, Faults } from "./faults.ts";
import { type RawFields, readForm } from "./form.ts";
import { type Answer, Keys } from "./idempotency.ts";
import { paymentEndpoints } from "./payments.ts";
import { payoutEndpoints } from "./payouts.ts";
import { platformEndpoints } from "./platform.ts";
import { radarEndpoints } from "./radar.ts";
import { invalid, noAccess, Refusal } from "./refusal.ts";
import { reversalEndpoints } from "./reversals.ts";
import { Rights } from "./rights.ts";
import { sessionEndpoints } from "./sessions.ts";
import { letTimePass } from "./time.ts";
import { transferEndpoints } from "./transfers.ts";
import { API_VERSION, type World } from "./world.ts";

const ENDPOINTS: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...paymentEndpoints,
  ...transferEndpoints,
  ...reversalEndpoints,
  ...balanceEndpoints,
  ...payoutEndpoints,
  ...platformEndpoints,
  ...radarEndpoints,
  ...eventEndpoints,
  ...accountEndpoints,
];

type Incoming = { method: string; url: URL; headers: Record<string, string | undefined>; body: string };

/** What to send back: an answer, or one of the ways in which no whole answer comes. */
export type Outcome = {
  answer: Answer;
  headers: Record<string, string>;
  broken?: "timeout" | "reset" | "truncated";
};

/** Answers calls in the order in which Stripe checks them: key, version, idempotency, parameters, effect. */
export class Exchange {
  readonly #world: World;
  readonly #faults: Faults;
  /** The key that is accepted; changing it is rolling the key. */
  secretKey: string;
  /** What that key may do. */
  readonly rights = new Rights();
  readonly #keys = new Keys();

  /** Requests that Stripe's definitions do not allow, other than for want of a parameter. They were refused. */
  readonly wrongRequests: string[] = [];
  /** The stand-in's own answers that they do not allow. They were not given. */
  readonly wrongAnswers: string[] = [];

  #late: (() => object)[] = [];

  constructor(world: World, faults: Faults, secretKey: string) {
    this.#world = world;
    this.#faults = faults;
    this.secretKey = secretKey;
  }

  /** Lets every call take effect that failed before it did. */
  landLate(): void {
    for (const run of this.#late.splice(0)) run();
  }

  answer(incoming: Incoming): Outcome {
    const { method, url } = incoming;
    const fault = this.#faults.choose(method, url.pathname);
    const headers: Record<string, string> = { "Request-Id": this.#world.id("req"), "Stripe-Version": API_VERSION };
    const key = method === "POST" ? incoming.headers["idempotency-key"] : undefined;
    if (key) headers["Idempotency-Key"] = key;
    try {
      this.#authorise(incoming);
      const version = url.pathname.startsWith("/v2/") ? 2 : 1;
      const { endpoint, call } = this.#find(incoming);
      const raw = readRaw(incoming, version);
      const scoped = key && `${call.account ?? ""}:${key}`;
      if (scoped) {
        const print = createHash("sha256")
          .update(`${method} ${url.pathname} ${JSON.stringify(raw)}`)
          .digest("hex");
        const replay = this.#keys.take(scoped, print, version, this.#world.now());
        if (replay) {
          headers["Idempotent-Replayed"] = "true";
          if (replay.status >= 500) headers["Stripe-Should-Retry"] = "false";
          return withFault(replay, headers, fault);
        }
      }
      const path = url.pathname;
      return this.#perform({ method, path, endpoint, call, raw, fault, headers, key: scoped || undefined });
    } catch (error) {
      return withFault(asAnswer(error), headers, fault);
    }
  }

  #authorise({ method, url, headers }: Incoming): void {
    if (headers.authorization !== `Bearer ${this.secretKey}`)
      throw new Refusal(401, { message: "Invalid API Key provided." });
    if (headers["stripe-version"] !== API_VERSION)
      throw new Refusal(400, { message: `The stand-in plays ${API_VERSION}, not ${headers["stripe-version"]}.` });
    this.rights.check(method, url.pathname, headers["stripe-account"]);
  }

  #find({ method, url, headers }: Incoming): { endpoint: Endpoint; call: Call } {
    for (const endpoint of ENDPOINTS) {
      const match = endpoint.method === method ? endpoint.path.exec(url.pathname) : null;
      if (!match) continue;
      const { id = "" } = match.groups ?? {};
      const account = headers["stripe-account"];
      if (account && !this.#world.accounts.has(account)) throw noAccess(account);
      return { endpoint, call: { world: this.#world, id, account } };
    }
    throw new Refusal(404, { message: `Unrecognized request URL (${method}: ${url.pathname}).` });
  }

  #perform(job: {
    method: string;
    path: string;
    endpoint: Endpoint;
    call: Call;
    raw: RawFields;
    fault: Fault | undefined;
    headers: Record<string, string>;
    key: string | undefined;
  }): Outcome {
    const { method, path, endpoint, call, raw, fault, headers, key } = job;
    if (fault?.when === "before") {
      const failure = withFault(asAnswer(undefined), headers, fault);
      // A failure inside Stripe is stored under the key; a request that never began may be sent again.
      if (key && fault.kind === "500") this.#keys.settle(key, failure.answer);
      else if (key) this.#keys.release(key);
      return failure;
    }
    const { wrong, params } = readRequest(method, path, raw);
    this.wrongRequests.push(
      ...wrong.filter((each) => !each.endsWith("is missing")).map((each) => `${method} ${path}: ${each}`),
    );
    const [first] = wrong;
    if (first) {
      if (key) this.#keys.release(key);
      throw invalid(codeOf(first), `Stripe's definitions do not allow this: ${first}.`);
    }
    const run = () => endpoint.run(call, params);
    if (fault?.when === "late") {
      const failure = withFault(asAnswer(undefined), headers, fault);
      if (key) this.#keys.settle(key, failure.answer);
      this.#late.push(run);
      return failure;
    }
    let answer: Answer;
    try {
      letTimePass(this.#world);
      answer = { status: 200, body: expanded(this.#world, run(), pathsOf(raw)) };
    } catch (error) {
      answer = asAnswer(error);
    }
    const untrue = wrongAnswer(method, path, answer.status, answer.body);
    if (untrue.length > 0) {
      this.wrongAnswers.push(...untrue.map((each) => `${method} ${path}: ${each}`));
      answer = asAnswer(
        new Refusal(500, { type: "api_error", message: `The stand-in's answer is untrue: ${untrue[0]}.` }),
      );
    }
    const outcome = withFault(answer, headers, fault);
    if (key) this.#keys.settle(key, fault?.kind === "500" ? outcome.answer : answer);
    return outcome;
  }
}

function codeOf(wrong: string): string {
  if (wrong.endsWith("is missing")) return "parameter_missing";
  return /is not (?:defined|imitated)$/.test(wrong) ? "parameter_unknown" : "parameter_invalid";
}

function readRaw({ method, url, body }: Incoming, version: 1 | 2): RawFields {
  if (method === "GET") return readForm(url.search.slice(1));
  if (version === 1) return readForm(body);
  return body === "" ? {} : (JSON.parse(body) as RawFields);
}

function pathsOf({ expand }: RawFields): string[] {
  return expand && typeof expand === "object" ? Object.values(expand).map(String) : [];
}

function asAnswer(error: unknown): Answer {
  if (error instanceof Refusal) return { status: error.status, body: error.body };
  if (error !== undefined) throw error;
  return { status: 200, body: {} };
}

const FAILURES = {
  "401": new Refusal(401, { message: "Invalid API Key provided." }),
  "403": new Refusal(403, { code: "more_permissions_required", message: "This key may not do that." }),
  "429": new Refusal(429, { code: "rate_limit", message: "Too many requests hit the API too quickly." }),
  "409": new Refusal(409, { code: "lock_timeout", message: "This object cannot be accessed right now." }),
  "500": new Refusal(500, { type: "api_error", message: "An unknown error occurred." }),
};

function withFault(answer: Answer, headers: Record<string, string>, fault: Fault | undefined): Outcome {
  if (!fault) return { answer, headers };
  if (fault.kind === "timeout" || fault.kind === "reset" || fault.kind === "truncated")
    return { answer, headers, broken: fault.kind };
  return { answer: asAnswer(FAILURES[fault.kind]), headers };
}
