import { z } from "zod";
import { ERRORS, type ErrorCode } from "#lib/kernel/errors.ts";
import { id } from "#lib/kernel/fields.ts";

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The one shape of every refusal. */
export const ErrorBody = z
  .object({
    ok: z.literal(false),
    error: z.object({
      code: z.enum(codes),
      message: z.string(),
      retryable: z.boolean().meta({ description: "The same request may succeed when it is sent again." }),
      final: z
        .boolean()
        .meta({ description: "A gate refused: not to be bypassed, and not to be tried again as it is." }),
      reason: z.string().optional().meta({
        description:
          "The cause, if a code has several: with verification_failed, what the domain check found; with forbidden, for example, step_up_required; with quota_exceeded, which quota.",
      }),
      field_errors: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .optional()
        .meta({ description: "With invalid_input." }),
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
