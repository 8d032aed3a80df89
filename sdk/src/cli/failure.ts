import {
  GateRefused,
  GuildhallError,
  InvalidCredential,
  InvalidInput,
  MissingCredential,
  NetworkError,
  NotFound,
} from "../errors.ts";
import { UsageError } from "./command.ts";
import { type Output, paint, plain } from "./output.ts";
import { GUILDHALL } from "./started-as.ts";

/** What the exit code of a command means. */
export const EXIT_CODES = {
  0: "success",
  1: "any other failure",
  2: "the command line is wrong",
  3: "a credential is missing or refused",
  4: "not found",
  5: "the input is refused; each field is named",
  6: "a gate refused, or the refusal is final: do not repeat the call",
  7: "no answer: the network, or a time-out",
} as const;

export function exitCodeOf(error: unknown): keyof typeof EXIT_CODES {
  if (error instanceof UsageError) return 2;
  if (error instanceof InvalidCredential || error instanceof MissingCredential) return 3;
  if (error instanceof NotFound) return 4;
  if (error instanceof InvalidInput) return 5;
  if (error instanceof GateRefused || (error instanceof GuildhallError && error.final)) return 6;
  return error instanceof NetworkError ? 7 : 1;
}

const HOW_TO_HAVE_ONE = `Set GUILDHALL_PUBLIC_ID and GUILDHALL_TOKEN (or GUILDHALL_COMMUNITY_KEY), or run ${GUILDHALL} register.`;

/** Says on standard error what went wrong, and what to do. */
export function report(output: Output, error: unknown): void {
  const { message } = error as Error;
  if (!(error instanceof GuildhallError)) {
    output.note(`${paint(output, "red", "guildhall:")} ${message}`);
    if (error instanceof UsageError) output.note(`${GUILDHALL} --help lists the commands; each has its own --help.`);
    return;
  }
  if (output.isJson) {
    const { code, status, final, requestId, reason, gates, fieldErrors, retryAfterSeconds } = error;
    const facts = {
      code,
      status,
      final,
      message,
      request_id: requestId,
      reason,
      retry_after_seconds: retryAfterSeconds,
    };
    const remedy = error instanceof MissingCredential ? { remedy: HOW_TO_HAVE_ONE } : {};
    const more = {
      ...remedy,
      ...(gates.length ? { gates } : {}),
      ...(fieldErrors.length ? { field_errors: fieldErrors } : {}),
    };
    output.note(JSON.stringify({ error: { ...facts, ...more } }, null, 2));
    return;
  }
  output.note(`${paint(output, "red", "guildhall:")} ${plain(message)}`);
  for (const { path, message: text } of error.fieldErrors) output.note(`  ${path} ${text}`);
  for (const { gate, passed, reason, remedy } of error.gates)
    if (!passed) output.note(`  gate ${gate}: ${reason ?? "refused"}. ${remedy ?? ""}`.trimEnd());
  if (error.reason) output.note(`  reason: ${error.reason}`);
  if (error instanceof MissingCredential) output.note(`  ${HOW_TO_HAVE_ONE}`);
  if (error.requestId) output.note(paint(output, "dim", `  request ${error.requestId}`));
}
