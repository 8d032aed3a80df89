import type { z } from "zod";
import type { ContractAnswer } from "#lib/contracts/schema.ts";
import type { MySettlementsAnswer } from "#lib/settlements/schema.ts";
import type { DisputesAnswer } from "#lib/tasks/disputes/schema.ts";
import type { ShowTaskAnswer, TaskWire } from "#lib/tasks/schema.ts";
import { type Outcome, refuse } from "../../../browser/call.ts";
import { read } from "../connection/service-call.ts";
import { fits, type Parts } from "./fits.ts";

/** A task with everything that belongs to it, all as it was at one moment. */
export type Shown = z.output<typeof ShowTaskAnswer> & Parts;

const ATTEMPTS = 3;

/** Reads a task with its parts. If they changed between the reads, it reads them again, so that no page contradicts itself. */
export async function readWhole(taskId: string): Promise<Outcome<Shown>> {
  for (let attempt = 1; ; attempt += 1) {
    const shown = await read<z.output<typeof ShowTaskAnswer>>("jobs/show.php", { task_id: taskId, history: 1 });
    if (!shown.ok) return shown;
    const parts = await readParts(shown.body.task);
    if (!parts.ok) return parts;
    if (fits(shown.body.task, parts.body)) return { ...shown, body: { ...shown.body, ...parts.body } };
    if (attempt === ATTEMPTS) return refuse("This task is being changed just now. Refresh in a few seconds.", {});
  }
}

/** Only parties get a `settlement_id`, which may be null. */
export const isParty = (task: TaskWire) => task.settlement_id !== undefined;

async function readParts(task: TaskWire): Promise<Outcome<Parts>> {
  const id = task.agreement?.contract_id;
  const [contract, settlements, disputes] = await Promise.all([
    id ? read<z.output<typeof ContractAnswer>>("contracts/show.php", { contract_id: id }) : null,
    id && isParty(task)
      ? read<z.output<typeof MySettlementsAnswer>>("settlements/mine.php", { contract_id: id, limit: 1 })
      : null,
    isParty(task) && task.parties.provider ? readDisputes(task.task_id) : null,
  ]);
  for (const part of [contract, settlements, disputes]) if (part && !part.ok) return part;
  const parts = {
    contract: contract?.ok ? contract.body.contract : null,
    settlement: settlements?.ok ? (settlements.body.settlements[0] ?? null) : null,
    disputes: disputes?.ok ? disputes.body.disputes : [],
  };
  return { ok: true, body: parts };
}

async function readDisputes(taskId: string): Promise<Outcome<z.output<typeof DisputesAnswer>>> {
  const found = await read<z.output<typeof DisputesAnswer>>("jobs/disputes.php", { task_id: taskId });
  // A selected provider that has not claimed the task is no party of its disputes.
  return !found.ok && found.refusal.code === "not_found" ? { ok: true, body: { disputes: [] } } : found;
}
