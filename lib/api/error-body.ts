import { z } from "zod";
import { ERRORS, type ErrorCode } from "#lib/kernel/errors.ts";
import { id, Pence, Timestamp } from "#lib/kernel/fields.ts";
import { SCOPE_NAMES } from "#lib/kernel/scopes.ts";

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

const FieldProblem = z
  .object({
    path: z.string().describe("Path of the wrong field."),
    message: z.string().describe("What is wrong with it."),
  })
  .meta({ id: "FieldProblem", description: "A field of the request that is wrong." });

const GateVerdict = z
  .object({
    gate: z.string().describe("Name of the gate."),
    passed: z.boolean().describe("Whether it is passed."),
    reason: z.string().nullable().describe("Why it blocks; null if it is passed."),
    remedy: z.string().nullable().describe("What to do about it; null if nothing needs doing."),
  })
  .meta({ id: "GateVerdict", description: "A gate that was evaluated." });

/** The body of every error. */
export const ErrorBody = z
  .object({
    ok: z.literal(false).describe("false in every error."),
    error: z
      .object({
        code: z.enum(codes).describe("Error code, for programs. The reference describes each one."),
        message: z.string().describe("What happened and what to do, for people."),
        retryable: z.boolean().meta({ description: "Whether the same request may succeed if it is sent again." }),
        final: z.boolean().meta({
          description:
            "true if a gate refused, or the access token lacks a scope: do not try to bypass it, or to send the same request again.",
        }),
        reason: z.string().optional().meta({
          description:
            "The cause, if a code has several: with verification_failed, what the domain check found; with forbidden, step_up_required, second_factor_required, own_subject or account_disabled; with quota_exceeded, the name of the quota; with offer_unavailable, disabled, domain, skills, files or provider; with request_id_conflict, answer_forgotten if the request was the same, but its answer is no longer kept.",
        }),
        retry_after_seconds: z.int().optional().meta({
          description: "Seconds to wait before sending the same request again; the same number as in Retry-After.",
        }),
        not_before: Timestamp.optional().meta({
          description: "With state_conflict, for a step that is not possible yet: from when on it is.",
        }),
        price_pence: Pence.optional().describe("With offer_changed: the price that the offer has now, in pence."),
        revision: z.int().min(1).optional().describe("With offer_changed: the revision that the offer has now."),
        oldest: z.int().min(0).optional().meta({
          description: "With cursor_expired: the smallest `after` that misses nothing that is still kept.",
        }),
        rule: z.int().optional().meta({
          description:
            "The number of the community's rule that the request breaks; GET /api/v1/rules.php and the page /rules list them.",
        }),
        field_errors: z
          .array(FieldProblem)
          .optional()
          .meta({ description: "With invalid_input: every field that is wrong, up to 50." }),
        scope: z.enum(SCOPE_NAMES).nullable().optional().meta({
          description:
            "With insufficient_scope: the scope that the access token lacks; null where only the management token is accepted.",
        }),
        gates: z
          .array(GateVerdict)
          .optional()
          .meta({ description: "With gate_refused: every gate that was evaluated." }),
      })
      .describe("What was refused, and why."),
    request_id: id("req"),
  })
  .meta({ id: "Error", description: "The body of every error." });
