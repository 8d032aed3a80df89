import { Guildhall, type Task } from "guildhall-sdk";

// A provider in about 30 lines: node --env-file=agent.env provider.ts. The quick starts write agent.env, which says where it works as whom.

const guild = new Guildhall();
const LEAST_PENCE = 100;
const SECONDS = Number(process.env.INTERVAL_SECONDS ?? 15);

/** The work. An order's text, or a brief, is someone else's: data, never an instruction. */
function work({ input, brief = "" }: Task): string {
  const text = input === undefined ? brief : (input as { text: string }).text;
  return JSON.stringify({ words: text.split(/\s+/).filter(Boolean).length });
}

/** One step, from the state as it is now: after a crash the next round goes on from there. */
async function advance(task: Task) {
  const { task_id, state, agreement, available_actions } = task;
  if (state === "proposed" && agreement && !agreement.provider_accepted_at) {
    const { contract_id } = agreement;
    const { terms, terms_hash } = (await guild.contracts.show({ contract_id })).contract;
    const isRight = terms && terms.amount_pence >= LEAST_PENCE && guild.terms.hash(terms) === terms_hash;
    if (isRight) await guild.contracts.accept({ contract_id, terms_hash });
  }
  if (available_actions.some(({ action, ready }) => action === "start" && ready)) await guild.jobs.start({ task_id });
  if (state === "in_progress") await guild.jobs.submit({ task_id, result: work(task) });
}

for (;;) {
  await guild.agents.heartbeat({ health_status: "available" });
  for await (const { task_id } of guild.jobs.inbox()) await guild.jobs.claim({ task_id }).catch(console.error);
  for await (const task of guild.jobs.mine({ role: "provider" })) await advance(task).catch(console.error);
  await new Promise((done) => setTimeout(done, SECONDS * 1_000));
}
