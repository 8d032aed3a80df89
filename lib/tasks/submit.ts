import { buffer } from "node:stream/consumers";
import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import type { Connection } from "#lib/db/connection.ts";
import { hashWith, saltedHash } from "#lib/db/log-statement.ts";
import { statement } from "#lib/db/statement.ts";
import { checkPartySignature } from "#lib/identity/party-signature.ts";
import { canonicalJson, sha256 } from "#lib/kernel/canonical-json.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { type CheckedFile, checkResult, hasChecks } from "#lib/kernel/criteria/check-result.ts";
import type { Criterion, CriterionResultWire } from "#lib/kernel/criteria/schema.ts";
import { env } from "#lib/kernel/env.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { admit } from "./admit.ts";
import { advance } from "./advance.ts";
import { stepTask, viewAfter } from "./change.ts";
import { type FileRow, keptFiles, markSubmitted, namedView } from "./files/rows.ts";
import type { NamedFileWire } from "./files/schema.ts";
import { fileStore } from "./files/store/file-store.ts";
import { enqueueFinish } from "./order/finish-job.ts";

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
  // Checking takes time and no transaction waits for it. The terms are frozen, this task keeps its agreement, and files never change.
  const again = await submit(
    ctx,
    input,
    await checkResult(answer.criteria, input.result, answer.files.map(checkedFile)),
  );
  if (again instanceof Unchecked) throw new Error(`the result for ${input.task_id} is still not checked`);
  return again;
}

/** The submission is admissible, but its result must be checked against these criteria first. */
class Unchecked {
  readonly criteria: readonly Criterion[];
  readonly files: readonly FileRow[];
  constructor(criteria: readonly Criterion[], files: readonly FileRow[]) {
    this.criteria = criteria;
    this.files = files;
  }
}

function submit(ctx: ServiceContext, input: Input, results: CriterionResultWire[] | undefined) {
  return stepTask(ctx, input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "submit");
    const terms = await agreedTerms(tx, task.id);
    const files = await submittedFiles(tx, task.id, input.files ?? []);
    if (!results && hasChecks(terms.acceptance_criteria)) return new Unchecked(terms.acceptance_criteria, files);
    const at = ctx.clock.now();
    const resultFiles = files.length > 0 ? files.map(namedView) : null;
    const evidenceHash = input.evidence_hash ?? (resultFiles && hashOfEvidence(input.result, resultFiles));
    const set = {
      result: input.result,
      resultFiles,
      resultUrl: input.result_url ?? null,
      evidenceHash,
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
        ...(evidenceHash ? { evidence_hash: evidenceHash } : {}),
        ...(results ? { criteria_passed: results.every(({ passed }) => passed) } : {}),
      },
      log: {
        facts: {
          evidence_hash: evidenceHash,
          result_hash: hash,
          ...(resultFiles ? { files_hash: hashWith(salt, canonicalJson(resultFiles)) } : {}),
          ...criteriaFacts(results),
          ...signed,
        },
        textSalt: salt,
      },
    });
    if (files.length > 0)
      await markSubmitted.on(
        tx,
        files.map(({ id }) => id),
        at,
      );
    // The client request ID of a rehearsal's task is the rehearsal's.
    if (task.rehearsal) await enqueueFinish(tx, task.clientRequestId);
    return viewAfter(ctx, { ...task, ...changes });
  });
}

/** The files of a submission, in the order of their names. @throws ApiError invalid_input */
async function submittedFiles(tx: Connection, taskId: string, ids: readonly string[]): Promise<FileRow[]> {
  if (ids.length === 0) return [];
  if (!env().files) throw invalidInput("files", "must be left out: this service has no files");
  const kept = await keptFiles.on(tx, taskId, "result");
  const names = new Set<string>();
  const files = ids.map((id, index) => {
    const file = kept.find((each) => each.id === id);
    if (!file)
      throw invalidInput(`files.${index}`, "must be the ID of a kept file of this task with the purpose result");
    if (names.has(file.name)) throw invalidInput(`files.${index}`, "must not be a second file of the same name");
    names.add(file.name);
    return file;
  });
  return files.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function checkedFile({ name, size, sha256, mediaType }: FileRow): CheckedFile {
  return { name, size, sha256, mediaType, read: async () => buffer(await fileStore().read(sha256)) };
}

/** What covers the result and its files, where the provider gives no hash of its own. */
function hashOfEvidence(result: string, files: NamedFileWire[]): string {
  return sha256(canonicalJson({ files, result_hash: sha256(result) }));
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
