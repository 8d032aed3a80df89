import type { Contract, Guildhall, Offer, Task, TaskState } from "#sdk/index.ts";
import { sha256Text as sha256 } from "#sdk/sha256.ts";
import { deliver, textOf } from "../text-statistics.ts";
import type { Config } from "./config.ts";
import { type LogEvent, timed } from "./event-log.ts";
import { judgeContract } from "./judge.ts";
import type { StateFile, Work } from "./state-file.ts";

export type Provider = { client: Guildhall; config: Config; state: StateFile; logEvent: LogEvent };

/** A person has to look at this task; the provider does not touch it again. */
export class SetAside extends Error {}

type Step = (provider: Provider, task: Task) => Promise<Task | undefined>;

const STEPS: Partial<Record<TaskState, Step>> = {
  claimed: awaitProposal,
  proposed: considerTerms,
  accepted: startWork,
  in_progress: handIn,
};

/** The states in which a claimed task may need this provider. */
export const ACTIVE = Object.keys(STEPS) as TaskState[];

/**
 * Takes the next step, if it is the provider's turn. The state is read from the service each time, so it does not matter
 * whether or where an earlier run of this program was interrupted.
 * @returns the task after the step; undefined if it is another party's turn
 * @throws GuildhallError, SetAside
 */
export async function takeStep(provider: Provider, task: Task): Promise<Task | undefined> {
  return STEPS[task.state]?.(provider, task);
}

const PATIENCE_HOURS = 24;

async function awaitProposal({ client, logEvent }: Provider, task: Task): Promise<Task | undefined> {
  if (Date.now() - Date.parse(task.updated_at) < PATIENCE_HOURS * 3_600_000) return undefined;
  const reason = `No terms came within ${PATIENCE_HOURS} hours.`;
  const [{ task: released }, ms] = await timed(() => client.jobs.release({ task_id: task.task_id, reason }));
  logEvent("released", { task_id: task.task_id, ms, reason });
  return released;
}

async function considerTerms({ client, config, logEvent }: Provider, task: Task): Promise<Task | undefined> {
  const contract = await readContract(client, task);
  if (contract.provider_accepted_at !== null) return undefined;
  const offer = await readOwnOffer(client, task);
  const [problems, checkMs] = await timed(() => judgeContract(contract, task, config, new Date(), false, offer));
  const { contract_id: contractId, terms_hash: termsHash } = contract;
  if (problems.length > 0) {
    const reason = `Not accepted: ${problems.join("; ")}.`;
    const [, ms] = await timed(() => client.contracts.decline({ contract_id: contractId, reason }));
    logEvent("declined", { task_id: task.task_id, contract_id: contractId, ms, reason });
  } else {
    logEvent("terms_checked", { task_id: task.task_id, contract_id: contractId, terms_hash: termsHash, ms: checkMs });
    // Accepting the same hash again changes nothing.
    const [, ms] = await timed(() => client.contracts.accept({ contract_id: contractId, terms_hash: termsHash }));
    logEvent("accepted", { task_id: task.task_id, contract_id: contractId, terms_hash: termsHash, ms });
  }
  return readTask(client, task.task_id);
}

async function startWork({ client, config, logEvent }: Provider, task: Task): Promise<Task | undefined> {
  const start = task.available_actions.find(({ action }) => action === "start");
  if (!start?.ready) {
    const reasons = start?.blocked_by.map(({ reason }) => reason) ?? ["start is not available"];
    logEvent("waiting", { task_id: task.task_id, for: reasons.join(", ") });
    return undefined;
  }
  const offer = await readOwnOffer(client, task);
  const problems = judgeContract(await readContract(client, task), task, config, new Date(), true, offer);
  if (problems.length > 0)
    throw new SetAside(`the agreement is not one that this provider makes: ${problems.join("; ")}`);
  const [{ task: started }, ms] = await timed(() => client.jobs.start({ task_id: task.task_id }));
  logEvent("work_started", { task_id: task.task_id, ms });
  return started;
}

const MAX_SUBMISSIONS = 3;

async function handIn(provider: Provider, task: Task): Promise<Task | undefined> {
  const { client, state, logEvent } = provider;
  const work = state.read().work[task.task_id] ?? (await doWork(provider, task));
  // Calculating again would give the same result.
  if (work.submissions >= MAX_SUBMISSIONS) throw new SetAside(`the result was sent back ${work.submissions} times`);
  const { result, evidence_hash } = work;
  const [{ task: submitted }, ms] = await timed(() =>
    client.jobs.submit({ task_id: task.task_id, result, evidence_hash }),
  );
  state.change(({ work: all }) => {
    all[task.task_id] = { ...work, submissions: work.submissions + 1 };
  });
  logEvent("submitted", { task_id: task.task_id, evidence_hash, ms });
  return submitted;
}

/** Does the work. The result is stored on disk first, so that a crash does not cause the work to be repeated. */
async function doWork({ state, logEvent }: Provider, task: Task): Promise<Work> {
  const input = textOf(task);
  if (input === undefined) throw new SetAside("it holds no text to count");
  const [{ result, evidenceHash }, ms] = await timed(() => deliver(input, task.skill));
  const work: Work = { result, evidence_hash: evidenceHash, submissions: 0 };
  state.change(({ work: all }) => {
    all[task.task_id] = work;
  });
  logEvent("computed", { task_id: task.task_id, input_sha256: sha256(input), evidence_hash: evidenceHash, ms });
  return work;
}

/** The own offer that the task is an order of; undefined if it is none, or the offer is gone. */
async function readOwnOffer(client: Guildhall, { offer }: Task): Promise<Offer | undefined> {
  if (offer) for await (const own of client.agents.myOffers()) if (own.offer_id === offer.offer_id) return own;
  return undefined;
}

async function readContract(client: Guildhall, task: Task): Promise<Contract> {
  if (!task.agreement) throw new SetAside(`it is ${task.state} and names no agreement`);
  return (await client.contracts.show({ contract_id: task.agreement.contract_id })).contract;
}

export async function readTask(client: Guildhall, taskId: string): Promise<Task> {
  return (await client.jobs.show({ task_id: taskId })).task;
}
