import type { z } from "zod";
import type { ProbeFailureField } from "../shapes.ts";

/** Why a domain check failed, as it appears on the wire. */
export type ProbeFailure = z.output<typeof ProbeFailureField>;

/** Ends a check. `detail` tells the operator in one sentence what to fix; it never repeats what a server or resolver said. */
export class ProbeFailed extends Error {
  readonly reason: ProbeFailure;
  readonly detail: string;

  constructor(reason: ProbeFailure, detail: string) {
    super(detail);
    this.name = "ProbeFailed";
    this.reason = reason;
    this.detail = detail;
  }
}

/** The `code` of a system, TLS or parser error, or an empty string. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
