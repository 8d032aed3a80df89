import type { z } from "zod";

import * as db from "#lib/db/columns.ts";
import type { Connection } from "#lib/db/connection.ts";
import { saltedHash } from "#lib/db/log-statement.ts";
import { statement } from "#lib/db/statement.ts";
import { checkPartySignature } from "#lib/identity/party-signature.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { checkResult, hasChecks } from "#lib/kernel/criteria/check-result.ts";
import type { Criterion, CriterionResultWire } from "#lib/kernel/criteria/schema.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { admit } from "./admit.ts";
import { advance } from "./advance.ts";
import { stepTask, viewAfter } from "./change.ts";

import type { SubmitInput } from "./schema.ts";

type Input = z.output<typeof SubmitInput>;

/**
 * Submits the result for the requester to review. Where the agreement has criteria that the service checks, it checks them, and
 * marks the submission with what it found.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused
 */
export async function submitTask(ctx: ServiceContext, input: Input) {
  const answer = await submit(ctx, input, undefined);
  if (!(answer instanceof Unchecked)) return answer;
  // Checking takes time and no transaction waits for it. The terms are frozen, and this task keeps its agreement.
  const again = await submit(ctx, input, await checkResult(answer.criteria, input.result));
  if (again instanceof Unchecked) throw new Error(`the result for ${input.task_id} is still not checked`);
  return again;
}

/** The submission is admissible, but its result must be checked against these criteria first. */
class Unchecked {
  readonly criteria: readonly Criterion[];
  constructor(criteria: readonly Criterion[]) {
    this.criteria = criteria;
  }
}

function submit(ctx: ServiceContext, input: Input, results: CriterionResultWire[] | undefined) {
  return stepTask(ctx, input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "submit");
    const terms = await agreedTerms(tx, task.id);
    if (!results && hasChecks(terms.acceptance_criteria)) return new Unchecked(terms.acceptance_criteria);
    const at = ctx.clock.now();
    const set = {
      result: input.result,
      resultUrl: input.result_url ?? null,
      evidenceHash: input.evidence_hash ?? null,
      changesReason: null,
      reviewEndsAt: reviewEnd(at, terms.review_days),
      criteriaResults: results ?? null,
    };
    const { hash, salt } = saltedHash(input.result);
    if (input.signature && !input.evidence_hash) throw invalidInput("evidence_hash", "is required with a signature");
    const signed = await checkPartySignature(
      ctx,
      input.signature,
      "guildhall.submit/1",
      task.id,
      input.evidence_hash ?? "",
    );
    const changes = await advance(tx, ctx, task, "submit", {
      at,
      set,
      data: {
        ...(input.evidence_hash ? { evidence_hash: input.evidence_hash } : {}),
        ...(results ? { criteria_passed: results.every(({ passed }) => passed) } : {}),
      },
      log: {
        facts: { evidence_hash: input.evidence_hash ?? null, result_hash: hash, ...criteriaFacts(results), ...signed },
        textSalt: salt,
      },
    });
    return viewAfter(ctx, { ...task, ...changes });
  });
}

/** Without the reasons, which may quote the result: of a listed task, everyone may read these facts. */
function criteriaFacts(results: CriterionResultWire[] | undefined) {
  return results ? { criteria: results.map(({ index, kind, passed }) => ({ index, kind, passed })) } : {};
}

type AgreedTerms = { acceptance_criteria: Criterion[]; review_days?: number };

const acceptedTerms = statement(
  "task.accepted_terms",
  { terms: db.jsonb<AgreedTerms>() },
  "SELECT terms FROM contracts WHERE task_id = $1 AND state = 'accepted'",
);

async function agreedTerms(tx: Connection, taskId: string): Promise<AgreedTerms> {
  const [agreed] = await acceptedTerms.on(tx, taskId);
  return agreed?.terms ?? { acceptance_criteria: [] };
}

const DAY_SECONDS = 86_400;

/** When the review of a result that was submitted `at` ends; null if the agreement has no review period. */
function reviewEnd(at: Date, days: number | undefined): Date | null {
  return days ? secondsAfter(at, days * DAY_SECONDS) : null;
}
