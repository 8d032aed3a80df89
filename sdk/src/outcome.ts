import type { Contract, Settlement, Task } from "./generated/api.ts";

/*
 * What became of a step whose answer was lost. Steps carry no request ID; the task's state says whether one was taken. Looking
 * first is safer than repeating: between a lost answer and its repetition the other party may have acted.
 */

/** The reads that looking up needs. */
export type Reader = {
  jobs: { show(input: { task_id: string; public_id?: string }): Promise<{ task: Task }> };
  contracts: { show(input: { contract_id: string; public_id?: string }): Promise<{ contract: Contract }> };
  settlements: { mine(input: { contract_id: string }): PromiseLike<{ settlements: Settlement[] }> };
};

type Input = Record<string, unknown>;
/** The answer of the step if it was taken; undefined if it was not, and can be sent again. */
type LookUp = (read: Reader, input: Input, ownId: string | undefined) => Promise<object | undefined>;

const step =
  (isTaken: (task: Task, ownId: string | undefined) => boolean): LookUp =>
  async (read, input, ownId) => {
    const { task } = await read.jobs.show({ task_id: String(input.task_id), public_id: ownId });
    return isTaken(task, ownId) ? { task } : undefined;
  };

export const LOOK_UPS: Record<string, LookUp> = {
  "jobs.claim": step(
    ({ state, parties }, ownId) => state !== "open" && ownId !== undefined && parties.provider?.public_id === ownId,
  ),
  "jobs.start": step(({ state }) => state === "in_progress"),
  "jobs.submit": step(({ state }) => state === "submitted" || state === "completed"),
  "jobs.requestChanges": step(({ state }) => state === "in_progress"),
  "jobs.cancel": step(({ state }) => state === "cancelled"),
  "jobs.complete": async (read, input, public_id) => {
    const { task } = await read.jobs.show({ task_id: String(input.task_id), public_id });
    const contractId = task.state === "completed" ? task.agreement?.contract_id : undefined;
    if (contractId === undefined) return undefined;
    const { settlements } = await read.settlements.mine({ contract_id: contractId });
    return { task, settlement: settlements[0] };
  },
  "contracts.create": async (read, input, public_id) => {
    const { task } = await read.jobs.show({ task_id: String(input.task_id), public_id });
    if (!task.agreement) return undefined;
    const { contract } = await read.contracts.show({ contract_id: task.agreement.contract_id, public_id });
    // Another proposal is not this one: sent again, the call says that the task is no longer open to proposals.
    return contract.terms?.scope === String(input.scope).trim() && contract.terms.amount_pence === input.amount_pence
      ? { contract }
      : undefined;
  },
  "contracts.decline": async (read, input, public_id) => {
    const { contract } = await read.contracts.show({ contract_id: String(input.contract_id), public_id });
    return contract.state === "declined" ? { contract } : undefined;
  },
};
