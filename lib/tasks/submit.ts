import type { z } from "zod";
import { Prisma } from "#lib/db/generated/client.ts";
import { saltedHash } from "#lib/db/log-statement.ts";
import type { Tx } from "#lib/db/tx.ts";
import { checkPartySignature } from "#lib/identity/party-signature.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { admit } from "./admit.ts";
import { advance } from "./advance.ts";
import { changeTask, taskAfter } from "./change.ts";
import { checkResult, hasChecks } from "./criteria/check-result.ts";
import type { Criterion, CriterionResultWire } from "./criteria/schema.ts";
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
  return changeTask(input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "submit");
    const terms = await agreedTerms(tx, task.id);
    if (!results && hasChecks(terms.acceptance_criteria)) return new Unchecked(terms.acceptance_criteria);
    const set = {
      result: input.result,
      resultUrl: input.result_url ?? null,
      evidenceHash: input.evidence_hash ?? null,
      changesReason: null,
      reviewEndsAt: reviewEnd(ctx, terms.review_days),
      criteriaResults: results ?? Prisma.DbNull,
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
    await advance(tx, ctx, task, "submit", {
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
    return taskAfter(tx, ctx, task.id);
  });
}

/** Without the reasons, which may quote the result: of a listed task, everyone may read these facts. */
function criteriaFacts(results: CriterionResultWire[] | undefined) {
  return results ? { criteria: results.map(({ index, kind, passed }) => ({ index, kind, passed })) } : {};
}

type AgreedTerms = { acceptance_criteria: Criterion[]; review_days?: number };

async function agreedTerms(tx: Tx, taskId: string): Promise<AgreedTerms> {
  const agreed = await tx.contract.findFirst({ where: { taskId, state: "accepted" }, select: { terms: true } });
  return (agreed?.terms ?? { acceptance_criteria: [] }) as AgreedTerms;
}

const DAY_SECONDS = 86_400;

/** When the review of a result that is submitted now ends; null if the agreement has no review period. */
function reviewEnd(ctx: ServiceContext, days: number | undefined): Date | null {
  return days ? secondsAfter(ctx.clock.now(), days * DAY_SECONDS) : null;
}
