import { z } from "zod";
import { ERRORS, type ErrorCode } from "#lib/kernel/errors.ts";
import { capitalised } from "#lib/kernel/operation-id.ts";
import { ErrorBody } from "../error-body.ts";
import { ERROR_WORDS } from "../error-words.ts";
import type { Components, Json } from "./schemas.ts";

/** Codes whose answers say when to retry. */
const WAITING: ErrorCode[] = ["idempotency_in_progress", "rate_limited", "temporarily_unavailable"];
/** Members of `error` that come with some codes only. */
const DETAILS: Record<string, ErrorCode[]> = {
  reason: ["verification_failed", "forbidden", "quota_exceeded", "request_id_conflict", "offer_unavailable"],
  price_pence: ["offer_changed"],
  revision: ["offer_changed"],
  field_errors: ["invalid_input"],
  scope: ["insufficient_scope"],
  gates: ["gate_refused"],
  oldest: ["cursor_expired"],
  retry_after_seconds: WAITING,
};
/** Those that always come with these codes. */
const ALWAYS = ["price_pence", "revision", "field_errors", "scope", "gates", "oldest"];

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Every header that answers have, by name. */
export const HEADERS: Record<string, Json> = {
  "X-Request-Id": {
    description: "Identifies this request in the service's logs: req_ and 22 characters of base58, 26 in all.",
    schema: { type: "string", maxLength: 26 },
  },
  RateLimit: {
    description:
      "For each policy: calls left (r), and seconds until the period ends (t). Absent if nothing is limited. At most 500 characters.",
    schema: { type: "string", maxLength: 500 },
  },
  "RateLimit-Policy": {
    description:
      "The limits that this call counted against: calls (q) per period in seconds (w). Absent if nothing is limited. At most 500 characters.",
    schema: { type: "string", maxLength: 500 },
  },
  "Retry-After": {
    description: "Seconds to wait before retrying, at most 86,400.",
    schema: { type: "integer", minimum: 1, maximum: 86_400 },
  },
  "WWW-Authenticate": {
    description: "The authentication scheme to use: always Bearer. At most 100 characters.",
    schema: { type: "string", maxLength: 100 },
  },
  "Idempotent-Replayed": {
    description: "Present and true if this is the stored answer to an earlier, identical request.",
    schema: { type: "string", const: "true" },
  },
  "Repr-Digest": {
    description: "The digest of the file's bytes: sha-256=:BASE64: (RFC 9530). At most 100 characters.",
    schema: { type: "string", maxLength: 100 },
  },
  ETag: {
    description:
      "Identifies this version of the answer. Send it as If-None-Match to get 304 while it is current. At most 100 characters.",
    schema: { type: "string", maxLength: 100 },
  },
};

/** References to the headers of these names. */
export function headers(...names: (keyof typeof HEADERS)[]): Json {
  return Object.fromEntries(names.map((name) => [name, header(name)]));
}

/** The answers of the document that are shared: errors, by the codes that they may have. */
export class ErrorAnswers {
  readonly responses: Record<string, Json> = {};
  readonly #components: Components;
  #body: Json | undefined;

  constructor(components: Components) {
    this.#components = components;
  }

  /** The answers to errors with these codes, by status. */
  byStatus(codes: readonly ErrorCode[]): Json {
    const grouped = Map.groupBy([...new Set(codes)].sort(), (code) => ERRORS[code].status);
    const sorted = [...grouped].sort(([one], [other]) => one - other);
    return Object.fromEntries(sorted.map(([status, same]) => [status, this.#answer(status, same)]));
  }

  #answer(status: number, codes: ErrorCode[]): Json {
    const name = codes.map((code) => capitalised(...code.split("_"))).join("Or");
    this.responses[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${ERROR_WORDS[code]}`).join("\n\n"),
      headers: headers(
        "X-Request-Id",
        ...(status === 429 ? ["RateLimit", "RateLimit-Policy"] : []),
        ...(status === 401 ? ["WWW-Authenticate"] : []),
        ...(codes.some((code) => WAITING.includes(code)) ? ["Retry-After"] : []),
      ),
      content: { "application/json": { schema: this.#components.name(`${name}Error`, this.#schema(codes)) } },
    };
    return { $ref: `#/components/responses/${name}` };
  }

  /** The body of an error with one of these codes: what never comes with them is left out, what always does is required. */
  #schema(codes: ErrorCode[]): Json {
    this.#body ??= this.#bodyOfAll();
    const { properties, ...body } = this.#body;
    const { error, ...rest } = properties as Record<string, Json>;
    const details = { ...(error?.properties as Record<string, Json>) };
    details.code = { ...details.code, enum: codes, description: "Error code, for programs." };
    for (const [name, owners] of Object.entries(DETAILS))
      if (!codes.some((code) => owners.includes(code))) delete details[name];
    const present = ALWAYS.filter((name) => codes.every((code) => DETAILS[name]?.includes(code)));
    const required = [...((error?.required ?? []) as string[]), ...present];
    const description = `An error with ${codes.length === 1 ? "the code" : "one of the codes"} ${codes.join(", ")}.`;
    return { ...body, description, properties: { ...rest, error: { ...error, properties: details, required } } };
  }

  #bodyOfAll(): Json {
    const { schemas } = this.#components;
    this.#components.add(z.object({ error: ErrorBody }), "output");
    const body = schemas.Error as Json;
    // Each operation refers to the narrower schemas that are made of it.
    delete schemas.Error;
    return body;
  }
}
