import { z } from "zod";
import { ERRORS, type ErrorCode } from "#lib/kernel/errors.ts";
import { id } from "#lib/kernel/fields.ts";

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The body of every error. */
export const ErrorBody = z
  .object({
    ok: z.literal(false),
    error: z.object({
      code: z.enum(codes),
      message: z.string(),
      retryable: z.boolean().meta({ description: "Whether the same request may succeed if it is sent again." }),
      final: z
        .boolean()
        .meta({ description: "true if a gate refused: do not try to bypass it, or to send the same request again." }),
      reason: z.string().optional().meta({
        description:
          "The cause, if a code has several: with verification_failed, what the domain check found; with forbidden, step_up_required, second_factor_required, own_subject or account_disabled; with quota_exceeded, the name of the quota.",
      }),
      retry_after_seconds: z.int().optional().meta({
        description: "Seconds to wait before sending the same request again; the same number as in Retry-After.",
      }),
      oldest: z.int().min(0).optional().meta({
        description: "With cursor_expired: the smallest `after` that misses nothing that is still kept.",
      }),
      field_errors: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .optional()
        .meta({ description: "With invalid_input: every field that is wrong, up to 50." }),
      gates: z
        .array(
          z.object({
            gate: z.string(),
            passed: z.boolean(),
            reason: z.string().nullable(),
            remedy: z.string().nullable(),
          }),
        )
        .optional()
        .meta({ description: "With gate_refused: every gate that was evaluated." }),
    }),
    request_id: id("req"),
  })
  .meta({ id: "Error" });
