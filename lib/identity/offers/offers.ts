import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { select } from "#lib/db/columns.ts";
import { type Offer, Prisma } from "#lib/db/generated/client.ts";
import { statement } from "#lib/db/statement.ts";
import { connectionOf, type Tx, transaction } from "#lib/db/tx.ts";
import { canonicalJson } from "#lib/kernel/canonical-json.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { misfit } from "#lib/kernel/criteria/json-fields.ts";
import { refuseFilesInCriteria } from "#lib/kernel/criteria/needs-files.ts";
import { isSchemaCriterion, MOST_CRITERIA, MOST_JSON_SCHEMAS } from "#lib/kernel/criteria/proposed.ts";
import { Reply } from "#lib/kernel/endpoint.ts";
import { ApiError, invalidFields, invalidInput, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { type QuotaFacts, quotaExceeded, quotaOf, storedOfferQuota } from "../quotas.ts";
import { OFFER } from "../row.ts";
import type { OfferInput } from "../schema.ts";
import { viewOffer } from "../view.ts";

/** The most that the schemas, examples and criteria of all offers of an identity may take, so that a list of them stays small. */
const MOST_FORM_BYTES = 256 * 1024;

/**
 * Publishes a priced offer (201), or rewrites one of the caller's own (200). A change of anything but `enabled` makes a new revision.
 * @throws ApiError state_conflict without an endpoint; invalid_input for a skill that the identity lacks and an example that fails its schema;
 * not_found for an offer that is not its own; quota_exceeded for one more enabled or stored offer than the identity may have
 */
export async function publishOffer(ctx: ServiceContext, input: OfferFields) {
  requireFit(input);
  const fields = columns(input);
  const offer = await transaction(async (tx) => {
    const identity = await lockIdentity(tx, ctx.actor.id);
    if (!identity.hasEndpoint)
      throw stateConflict(
        "Without an endpoint an identity can only order work. Set one with agents/profile.php first.",
      );
    if (!identity.skills.includes(input.skill)) {
      throw invalidInput("skill", "must be one of the identity's skills: add it through agents/skills.php first");
    }
    const before = input.offer_id
      ? await tx.offer.findFirst({ where: { id: input.offer_id, identityId: ctx.actor.id } })
      : undefined;
    if (before === null) throw notFound();
    await requireRoom(tx, ctx.actor.id, identity, input, before);
    const updatedAt = ctx.clock.now();
    const row = before
      ? await tx.offer.update({
          where: { id: before.id },
          data: { ...fields, revision: revisionAfter(before, fields), updatedAt },
        })
      : await tx.offer.create({
          data: { id: newId("ofr"), identityId: ctx.actor.id, ...fields, createdAt: updatedAt, updatedAt },
        });
    await audit(tx, ctx, {
      action: before ? "update" : "create",
      subjectKind: "offer",
      subjectId: row.id,
      data: { skill: row.skill, price_pence: row.pricePence, enabled: row.enabled, revision: row.revision },
    });
    const [saved] = await savedOffer.on(connectionOf(tx), row.id);
    if (!saved) throw new Error(`offer ${row.id} disappeared within its own transaction`);
    return saved;
  });
  return new Reply(input.offer_id ? 200 : 201, { offer: viewOffer(offer) });
}

const savedOffer = statement("identity_offer_saved", OFFER, `SELECT ${select(OFFER)} FROM offers o WHERE o.id = $1`);

type OfferFields = z.output<typeof OfferInput>;

/** @throws ApiError invalid_input for an example that fails its schema, and for criteria that an agreement may not have */
function requireFit(input: OfferFields): void {
  const problems = (["input", "result"] as const).flatMap((name) => {
    const { [`${name}_schema` as const]: schema, [`example_${name}` as const]: example } = input;
    return schema == null || example == null ? [] : (misfit(`example_${name}`, schema, example) ?? []);
  });
  if (problems.length > 0) throw invalidFields(problems);
  const criteria = input.acceptance_criteria ?? [];
  // One that was made when this service had files can still be disabled.
  if (input.enabled) refuseFilesInCriteria(criteria, "acceptance_criteria");
  if (!input.result_schema) return;
  if (criteria.length >= MOST_CRITERIA)
    throw invalidInput("acceptance_criteria", `must have at most ${MOST_CRITERIA - 1} entries beside a result_schema`);
  if (criteria.filter(isSchemaCriterion).length >= MOST_JSON_SCHEMAS)
    throw invalidInput(
      "acceptance_criteria",
      `must have at most ${MOST_JSON_SCHEMAS - 1} entries of kind json_schema or file_json_schema beside a result_schema`,
    );
}

function columns(input: OfferFields) {
  const { skill, description, input: takes, output, limits, price_pence: pricePence, enabled } = input;
  return {
    skill,
    description,
    input: takes,
    output,
    limits,
    pricePence,
    enabled,
    inputSchema: stored(input.input_schema),
    resultSchema: stored(input.result_schema),
    exampleInput: stored(input.example_input),
    exampleResult: stored(input.example_result),
    turnaroundHours: input.turnaround_hours ?? null,
    reviewDays: input.review_days ?? null,
    dataTerms: input.data_terms ?? null,
    acceptanceCriteria: stored(input.acceptance_criteria),
  };
}

const stored = (value: unknown) => (value == null ? Prisma.DbNull : (value as Prisma.InputJsonValue));

function revisionAfter(before: Offer, { enabled: _, ...fields }: ReturnType<typeof columns>): number {
  const isSame = (Object.keys(fields) as (keyof typeof fields)[]).every(
    (name) => canonicalJson(before[name]) === canonicalJson(fields[name] === Prisma.DbNull ? null : fields[name]),
  );
  return isSame ? before.revision : before.revision + 1;
}

type LockedIdentity = QuotaFacts & { skills: string[]; hasEndpoint: boolean };

// One change at a time, so that an enabled offer's skill is always one of its identity's and the count of offers is exact. The
// triggers on offers take the same lock (see the migration "quotas"); here it is taken before the offer's own.
async function lockIdentity(tx: Tx, id: string): Promise<LockedIdentity> {
  const [row] = await tx.$queryRaw<LockedIdentity[]>`
    SELECT skills, domain_status::text AS "domainStatus", offer_quota AS "offerQuota", task_quota AS "taskQuota",
      endpoint IS NOT NULL AS "hasEndpoint"
    FROM identities WHERE id = ${id} FOR NO KEY UPDATE`;
  if (!row) throw notFound();
  return row;
}

/** A new offer, or one that becomes enabled, needs room in the quota; replacing an enabled offer does not. */
async function requireRoom(
  tx: Tx,
  identityId: string,
  facts: QuotaFacts,
  { offer_id: id, ...input }: OfferFields,
  before: Offer | undefined,
): Promise<void> {
  const [counted] = await tx.$queryRaw<{ stored: number; enabled: number; formBytes: number }[]>`
    SELECT count(*)::int AS stored, (count(*) FILTER (WHERE enabled))::int AS enabled,
      (coalesce(sum(octet_length(concat(input_schema, result_schema, example_input, example_result, acceptance_criteria)))
        FILTER (WHERE id IS DISTINCT FROM ${id ?? null}), 0))::int AS "formBytes"
    FROM offers WHERE identity_id = ${identityId}`;
  if (!counted) return;
  const form = [
    input.input_schema,
    input.result_schema,
    input.example_input,
    input.example_result,
    input.acceptance_criteria,
  ];
  const bytes = Buffer.byteLength(form.map((part) => (part == null ? "" : JSON.stringify(part))).join(""));
  if (bytes > 0 && counted.formBytes + bytes > MOST_FORM_BYTES)
    throw new ApiError(
      "quota_exceeded",
      `The schemas, examples and criteria of one identity's offers may take ${MOST_FORM_BYTES / 1024} KiB in all. Shorten this offer's, or those of another.`,
      { reason: "offer_schemas" },
    );
  if (before && (before.enabled || !input.enabled)) return;
  if (!before && counted.stored >= storedOfferQuota(facts)) throw quotaExceeded("stored_offers", facts);
  if (input.enabled && counted.enabled >= quotaOf("offers", facts)) throw quotaExceeded("offers", facts);
}
