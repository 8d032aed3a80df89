import type { CallOptions, List, Rule } from "./call.ts";
import { canonicalJson } from "./canonical-json.ts";
import { MissingCredential } from "./errors.ts";
import { type EventsInput, type EventsOptions, type EventsPage, eventsOf, type GuildhallEvent } from "./events.ts";
import { downloadFile, type FileContent, type PrepareFile, type UploadInput, uploadFile } from "./files.ts";
import { type Operations, operations, RULES } from "./generated/api.ts";
import { Hire, type HireOptions } from "./hire.ts";
import { LOOK_UPS, type Reader } from "./outcome.ts";
import { listOf } from "./pages.ts";
import { type Proof, type ProveOptions, proveTask } from "./prove.ts";
import { sha256Text } from "./sha256.ts";
import { type Sent, Transport, type TransportOptions } from "./transport.ts";
import { verifyEvidence } from "./verify/verify.ts";
import { verifyWebhook } from "./webhooks.ts";

export type GuildhallOptions = TransportOptions & {
  /** Origin of the service, such as https://guildhall.example. Default: GUILDHALL_BASE_URL; in a browser, the page's origin. */
  baseUrl?: string;
  /** The identity that calls. Default: GUILDHALL_PUBLIC_ID. */
  publicId?: string;
  /** Its management token. Default: GUILDHALL_TOKEN. */
  token?: string;
  /** The community key of its profile. Default: GUILDHALL_COMMUNITY_KEY. */
  communityKey?: string;
};

type Credentials = { publicId: string | undefined; token: string | undefined; communityKey: string | undefined };
type Input = Record<string, unknown>;
const EVENTS: Rule = { credential: "either", ownId: true };

class Client {
  /** The service's origin, without a slash at the end. */
  readonly baseUrl: string;
  readonly publicId: string | undefined;
  // Private, so that printing a client shows no secret.
  readonly #credentials: Credentials;
  readonly #transport: Transport;

  constructor(options: GuildhallOptions = {}) {
    const { baseUrl, credentials } = settingsOf(options);
    this.baseUrl = baseUrl;
    this.publicId = credentials.publicId;
    this.#credentials = credentials;
    this.#transport = new Transport(options);
    Object.assign(
      this,
      operations({
        request: (name, method, path, input, options) =>
          this.#request(name, method, path, input as Input, options) as Promise<never>,
        list: (name, path, paging, input, options) =>
          listOf((query) => this.#request(name, "GET", path, query, options), (input ?? {}) as Input, paging),
      }),
    );
  }

  /** Check terms locally. */
  readonly terms = {
    /** `sha256:` and 64 hexadecimal digits: the hash under which these terms are accepted. */
    hash: (terms: object): string => sha256Text(canonicalJson(terms)),
    /** The terms under RFC 8785: the text that the hash is of. */
    canonical: (terms: object): string => canonicalJson(terms),
  };

  readonly webhooks = { verify: verifyWebhook };

  readonly evidence = {
    verify: verifyEvidence,
    /** Fetches the evidence of a task, once the log has signed all of it, and verifies it; see {@link ProveOptions}. */
    prove: (taskId: string, options?: ProveOptions): Promise<Proof> =>
      proveTask(this.#transport, this as unknown as Guildhall, new URL("/log/key", this.baseUrl), taskId, options),
  };

  /** Files of tasks; `jobs.files` lists them. */
  readonly files = {
    /** Uploads a file from a path (in Node.js), a Blob, bytes or a stream. */
    upload: (content: FileContent, about: UploadInput, options?: CallOptions) =>
      uploadFile(this.#transport, this.#prepareFile, content, about, options),
    /** The bytes of a file, compared with its digest. */
    download: (fileId: string, options?: CallOptions): Promise<Blob> =>
      downloadFile(this.#transport, this.#prepareFile, fileId, options),
  };

  /** Follows what happens to this identity and its tasks; see {@link EventsInput}. */
  events(input: EventsInput = {}, options: EventsOptions = {}): List<EventsPage, GuildhallEvent> {
    const prepare = (query: EventsInput, own: CallOptions, accept?: string) => {
      const sent = this.#prepare("events", "GET", "/api/v1/events.php", EVENTS, query, own);
      return accept ? { ...sent, headers: { ...sent.headers, Accept: accept } } : sent;
    };
    return eventsOf(this.#transport, prepare, input, options);
  }

  /** Orders an offer and goes on until its result is settled; see {@link HireOptions}. */
  hire(options: HireOptions): Hire {
    return new Hire(this as unknown as Guildhall, options);
  }

  async #request(
    name: string,
    method: Sent["method"],
    path: string,
    input: Input = {},
    options: CallOptions = {},
  ): Promise<object> {
    return this.#transport.call(this.#prepare(name, method, path, RULES[name] ?? {}, input, options));
  }

  #prepare(name: string, method: Sent["method"], path: string, rule: Rule, input: Input, options: CallOptions): Sent {
    const { ownId, requestId, idempotencyKey, repeatableWith } = rule;
    const { publicId } = this.#credentials;
    const headers: Record<string, string> = {};
    const secret = this.#secretFor(name, rule);
    if (secret) headers.Authorization = `Bearer ${secret.value}`;
    const all: Input = {
      ...(ownId && secret?.isToken && publicId !== undefined ? { public_id: publicId } : {}),
      ...(requestId ? { client_request_id: crypto.randomUUID() } : {}),
      ...defined(input),
    };
    const url = new URL(path, this.baseUrl);
    if (method === "GET") for (const [key, value] of Object.entries(all)) url.searchParams.set(key, queryText(value));
    else headers["Content-Type"] = "application/json";
    if (idempotencyKey) headers["Idempotency-Key"] = options.idempotencyKey ?? crypto.randomUUID();
    const lookUp = LOOK_UPS[name];
    return {
      method,
      url,
      headers,
      body: method === "POST" ? JSON.stringify(all) : undefined,
      repeatable:
        method === "GET" ||
        rule.repeatable === true ||
        requestId === true ||
        idempotencyKey === true ||
        (repeatableWith !== undefined && repeatableWith in all),
      lookUp: lookUp && (() => lookUp(this as unknown as Reader, all, all.public_id as string | undefined)),
      timeoutMs: options.timeoutMs,
      signal: options.signal,
    };
  }

  #prepareFile: PrepareFile = (method, part, query, { timeoutMs, signal }) => {
    const secret = this.#secretFor("files", { credential: "token" });
    const url = new URL(`/api/v1/jobs/files/${part}`, this.baseUrl);
    const all = { ...(this.publicId === undefined ? {} : { public_id: this.publicId }), ...query };
    for (const [key, value] of Object.entries(all)) url.searchParams.set(key, value);
    return {
      method,
      url,
      headers: { ...(secret ? { Authorization: `Bearer ${secret.value}` } : {}) } as Record<string, string>,
      repeatable: true,
      timeoutMs,
      signal,
    };
  };

  #secretFor(name: string, { credential }: Rule): { value: string; isToken: boolean } | undefined {
    if (credential === undefined) return undefined;
    const { token, communityKey } = this.#credentials;
    if (credential !== "key" && token !== undefined) return { value: token, isToken: true };
    if ((credential === "key" || credential === "either") && communityKey !== undefined)
      return { value: communityKey, isToken: false };
    if (credential === "optionalToken") return undefined;
    const needed =
      credential === "key" ? "a community key (communityKey)" : "a management token (token, with publicId)";
    throw new MissingCredential(`guild.${name} needs ${needed}.`, { code: "missing_credential", status: 0 });
  }
}

/** A client of one service, as one identity or as a visitor. */
export type Guildhall = Client & Operations;
export const Guildhall = Client as unknown as new (options?: GuildhallOptions) => Guildhall;

function settingsOf(options: GuildhallOptions): { baseUrl: string; credentials: Credentials } {
  const { process, location } = globalThis as {
    process?: { env?: Record<string, string | undefined> };
    location?: { origin?: string };
  };
  const env = process?.env ?? {};
  const own = env.GUILDHALL_BASE_URL || undefined;
  const text = options.baseUrl ?? own ?? location?.origin;
  if (!text) throw new TypeError("baseUrl is missing: pass the service's origin, or set GUILDHALL_BASE_URL.");
  const baseUrl = originOf(text);
  // Credentials from the environment belong to the service that the environment names. An empty option means none.
  const given = own === undefined || originOf(own) === baseUrl ? env : {};
  const credentials = {
    publicId: (options.publicId ?? given.GUILDHALL_PUBLIC_ID) || undefined,
    token: (options.token ?? given.GUILDHALL_TOKEN) || undefined,
    communityKey: (options.communityKey ?? given.GUILDHALL_COMMUNITY_KEY) || undefined,
  };
  return { baseUrl, credentials };
}

/** @throws TypeError unless the text is an http: or https: URL */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(`${JSON.stringify(text)} is not an origin such as https://guildhall.example.`);
  return url.origin;
}

function defined(input: Input): Input {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

function queryText(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "boolean" ? String(Number(value)) : String(value);
}
