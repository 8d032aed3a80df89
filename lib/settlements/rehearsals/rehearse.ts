import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import * as db from "#lib/db/columns.ts";
import { newestFirst } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { transaction } from "#lib/db/tx.ts";
import { OFFER } from "#lib/identity/row.ts";
import { canonicalJson } from "#lib/kernel/canonical-json.ts";
import { iso, secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { Reply } from "#lib/kernel/endpoint.ts";
import { ApiError, invalidInput, notFound } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { type Draft, postOnce } from "#lib/tasks/create.ts";
import { requireGates } from "#lib/tasks/gates.ts";
import { briefOf } from "#lib/tasks/order/brief.ts";
import { enqueueFinish } from "#lib/tasks/order/finish-job.ts";
import { theHouse } from "./house.ts";
import type { RehearsalsQuery, RehearsalWire, RehearseInput } from "./schema.ts";

const REHEARSAL_SECONDS = 900;
const MOST_AN_HOUR = 6;

const REHEARSAL = {
  id: db.text.from("r.id"),
  offerId: db.text.from("r.offer_id"),
  taskId: db.nullable(db.text).from("r.task_id"),
  state: db.oneOf("running", "passed", "failed", "ended").from("r.state"),
  reason: db.nullable(db.text).from("r.reason"),
  seconds: db.nullable(db.integer).from("r.seconds"),
  createdAt: db.timestamp.from("r.created_at"),
  endsAt: db.timestamp.from("r.ends_at"),
};

const view = (row: db.RowOf<typeof REHEARSAL>): RehearsalWire => ({
  rehearsal_id: row.id,
  offer_id: row.offerId,
  task_id: row.taskId,
  state: row.state,
  ends_at: iso(row.endsAt),
  seconds: row.seconds,
  reason: row.reason,
  created_at: iso(row.createdAt),
});

const readMine = newestFirst({
  name: "rehearsals_own",
  table: "rehearsals",
  alias: "r",
  scope: "true",
  columns: REHEARSAL,
  filters: { owner: (placeholder) => `r.identity_id = ${placeholder}` },
  indexed: ["owner"],
});

/** The caller's rehearsals, newest first. */
export async function myRehearsals(ctx: ServiceContext, input: z.output<typeof RehearsalsQuery>) {
  const { rows, nextCursor } = await readMine(input, { owner: ctx.actor.id });
  return { rehearsals: rows.map(view), next_cursor: nextCursor };
}

const ownOffer = statement(
  "rehearsal_offer",
  OFFER,
  `SELECT ${db.select(OFFER)} FROM offers o WHERE o.id = $1 AND o.identity_id = $2`,
);

/**
 * Has the house order the example of one of the caller's own offers.
 * @throws ApiError not_found, invalid_input (no example), gate_refused (the agent could not claim), quota_exceeded
 */
export async function rehearse(ctx: ServiceContext, input: z.output<typeof RehearseInput>) {
  const [offer] = await ownOffer(input.offer_id, ctx.actor.id);
  if (!offer) throw notFound();
  if (offer.exampleInput === null)
    throw invalidInput("offer_id", "must be an offer with an example_input: set one with agents/offers.php first");
  const now = ctx.clock.now();
  const house = await theHouse(now);
  requireGates(ctx.actor, "claim", {
    held: false,
    skill: offer.skill,
    requesterId: house.id,
    selectedProviderId: ctx.actor.id,
    dismissedIds: [],
    openTo: "claims",
  });
  const id = newId("reh");
  const endsAt = secondsAfter(now, REHEARSAL_SECONDS);
  // First what ends it, then the order itself: a process that dies in between leaves nothing that runs for ever.
  await transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM identities WHERE id = ${ctx.actor.id} FOR NO KEY UPDATE`;
    const since = secondsAfter(now, -3_600);
    const recent = await tx.rehearsal.count({ where: { identityId: ctx.actor.id, createdAt: { gt: since } } });
    if (recent >= MOST_AN_HOUR)
      throw new ApiError(
        "quota_exceeded",
        `An identity may have ${MOST_AN_HOUR} rehearsals an hour. Try again later.`,
        {
          reason: "rehearsals",
        },
      );
    await tx.rehearsal.create({
      data: { id, identityId: ctx.actor.id, offerId: offer.id, createdAt: now, endsAt },
    });
    await enqueueFinish(tx, id, { at: endsAt });
  });
  const { inputSchema, exampleInput, resultSchema } = offer;
  const isText = inputSchema === null;
  const example = isText && typeof exampleInput !== "string" ? canonicalJson(exampleInput) : exampleInput;
  const fields: Draft = {
    public_id: house.id,
    client_request_id: id,
    title: `Rehearsal: ${offer.skill}`,
    brief: briefOf(example, !isText, undefined),
    skill: offer.skill,
    budget_pence: 0,
    visibility: "unlisted",
    payment_mode: "TEST",
    provider_public_id: ctx.actor.id,
    expires_in_seconds: REHEARSAL_SECONDS,
    terms: {
      scope: offer.description,
      amount_pence: 0,
      acceptance_criteria: resultSchema ? [{ kind: "json_schema", schema: resultSchema }] : [],
      data_terms: "This is a rehearsal with the offer's own example.",
    },
    accept: true,
    offer: { offer_id: offer.id, revision: offer.revision },
    rehearsal: true,
  };
  const posted = await postOnce({ ...ctx, actor: house }, "jobs/create", fields, async () => fields);
  const { task } = JSON.parse(posted.body.text) as { task: { task_id: string } };
  await prisma().rehearsal.update({ where: { id }, data: { taskId: task.task_id } });
  return new Reply(202, {
    rehearsal: view({
      id,
      offerId: offer.id,
      taskId: task.task_id,
      state: "running",
      reason: null,
      seconds: null,
      createdAt: now,
      endsAt,
    }),
  });
}
