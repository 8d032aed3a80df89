import * as classes from "./errors.ts";
import { BadAnswer, type ErrorFacts, type FieldError, type Gate, GuildhallError, nameOf } from "./errors.ts";
import type { ErrorCode } from "./generated/api.ts";

type ErrorClass = new (message: string, facts: ErrorFacts, options?: ErrorOptions) => GuildhallError;

type PascalCase<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${Capitalize<First>}${PascalCase<Rest>}`
  : Capitalize<Text>;
type ClassName<Code extends string> = Code extends "internal" ? "InternalError" : PascalCase<Code>;

/** The classes by their names; one that an error code lacks does not compile. */
const CLASSES: Record<ClassName<ErrorCode>, ErrorClass> = classes;

type ErrorBody = {
  code?: string;
  message?: string;
  final?: boolean;
  retryable?: boolean;
  retry_after_seconds?: number;
  reason?: string;
  scope?: string | null;
  gates?: Gate[];
  field_errors?: FieldError[];
  price_pence?: number;
  revision?: number;
  oldest?: number;
  rule?: number;
};
/** @internal A whole answer of the service, success or error. */
export type AnswerBody = { ok?: boolean; request_id?: string; error?: ErrorBody };

/** @internal The error that an answer other than a success stands for. */
export function errorOf(call: string, response: Response, body: AnswerBody | undefined): GuildhallError {
  const { status, headers } = response;
  const { code, message, ...error } = body?.error ?? {};
  const seconds = Number.parseInt(headers.get("retry-after") ?? "", 10);
  const facts = {
    status,
    requestId: body?.request_id ?? headers.get("x-request-id") ?? undefined,
    final: error.final === true,
    retryAfterSeconds: Number.isNaN(seconds) ? error.retry_after_seconds : seconds,
    reason: error.reason,
    scope: error.scope,
    gates: error.gates,
    fieldErrors: error.field_errors,
    pricePence: error.price_pence,
    revision: error.revision,
    oldest: error.oldest,
    rule: error.rule,
  };
  if (code === undefined) {
    const text = `${call}: the answer (${status}) does not come from this API.`;
    return new BadAnswer(text, { ...facts, code: "bad_answer", retryable: status >= 502 });
  }
  // A code that is newer than this client is an error like any other.
  const name = nameOf(code);
  const Class = Object.hasOwn(CLASSES, name) ? CLASSES[name as keyof typeof CLASSES] : GuildhallError;
  const all = { ...facts, code: code as ErrorCode, retryable: error.retryable === true };
  return new Class(`${call}: ${message ?? code} (${status} ${code})`, all);
}
