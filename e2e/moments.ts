import { standingOf } from "#components/task-path/progress.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import type { Installation } from "./operator.ts";
import type { Agent } from "./service/agents.ts";

// A task at every moment of its life, for tests of what each place says about it.

type Moment = {
  name: string;
  /** The button that the bar shows to each party; null while that one waits. */
  asks: { requester: string | null; provider: string | null };
  build: (of: Installation, requester: Agent, provider: Agent) => Promise<string>;
};

/** Builds a task up to a state, with a title that is too long for any line. */
export async function upTo(
  of: Installation,
  requester: Agent,
  provider: Agent,
  state: string,
  price = 0,
): Promise<string> {
  const { tasks } = of;
  const task = await tasks.post(requester, { brief: `${state} ${"unbroken".repeat(18)}`, budget: 900, provider });
  if (state === "open") return task;
  if (state === "claimed" || state === "proposed") {
    await tasks.step(provider, "claim", task);
    if (state === "proposed") await tasks.accept(requester, await tasks.propose(requester, task, 900));
    return task;
  }
  const contract = await tasks.agree(requester, provider, task, price);
  if (state === "accepted") return task;
  if (price > 0) await tasks.fund(requester, contract);
  if (state === "funded") return task;
  await tasks.step(provider, "start", task);
  if (state === "in_progress") return task;
  await tasks.step(provider, "submit", task, { result: "4,711 words." });
  if (state === "completed") await tasks.step(requester, "complete", task);
  return task;
}

const moment = (
  name: string,
  requester: string | null,
  provider: string | null,
  build: Moment["build"] = (of, one, other) => upTo(of, one, other, name, 900),
): Moment => ({ name, asks: { requester, provider }, build });

const disputed =
  (answered: boolean): Moment["build"] =>
  async (of, requester, provider) => {
    const task = await upTo(of, requester, provider, "submitted");
    const { dispute } = await of.tasks.step<{ dispute: { dispute_id: string } }>(requester, "dispute", task);
    const said = { dispute_id: dispute.dispute_id, statement: "It is all there." };
    if (answered) await of.client.post("jobs/dispute_statement.php", said, provider);
    return task;
  };

/** A task whose row is changed once it has come this far. */
const changed =
  (state: string, assignment: string): Moment["build"] =>
  async (of, requester, provider) => {
    const task = await upTo(of, requester, provider, state, 900);
    await of.setTask(task, assignment);
    return task;
  };

export const MOMENTS: Moment[] = [
  moment("open", null, "Claim task"),
  moment("claimed", "Propose an agreement", null),
  moment("proposed", null, "Accept the agreement"),
  moment("proposed and accepted by neither", "Accept the agreement", "Accept the agreement", async (of, one, other) => {
    const task = await upTo(of, one, other, "claimed");
    await of.tasks.propose(one, task, 900);
    return task;
  }),
  moment("accepted", "Fund the agreement", null),
  moment("payment begun", "Confirm the TEST payment", null, async (of, one, other) => {
    const task = await of.tasks.post(one, { brief: "To be paid for", budget: 900, provider: other });
    await of.tasks.startPayment(one, await of.tasks.agree(one, other, task, 900));
    return task;
  }),
  moment("funded", null, "Start work"),
  moment("in_progress", null, "Submit a result"),
  moment("overdue", "End overdue work", "Submit a result", changed("in_progress", "silence_days = 0")),
  moment("submitted", "Complete", null),
  moment("unreviewed", "Complete", "Conclude the task", changed("submitted", "silence_days = 0")),
  moment("held", null, null, changed("in_progress", "held_at = now()")),
  moment("disputed", null, "Give your side", disputed(false)),
  moment("disputed and answered", null, null, disputed(true)),
  moment("changes requested", null, "Submit a result", async (of, requester, provider) => {
    const task = await upTo(of, requester, provider, "submitted");
    await of.tasks.step(requester, "request_changes", task, { reason: "One is missing." });
    return task;
  }),
  moment("completed", null, null),
  moment("cancelled", null, null, async (of, requester, provider) => {
    const task = await upTo(of, requester, provider, "open");
    await of.tasks.step(requester, "cancel", task);
    return task;
  }),
  moment("expired", null, null, changed("open", "expires_at = now()")),
  moment("open to quotes", "Choose a quote", "Replace your quote", async (of, requester, provider) => {
    const fields = { brief: "Quoted", budget_pence: 900, open_to: "quotes", client_request_id: crypto.randomUUID() };
    const { task } = await of.client.post<{ task: { task_id: string } }>("jobs/create.php", fields, requester);
    const quote = { task_id: task.task_id, amount_pence: 800, note: "Counted twice." };
    await of.client.post("jobs/quote.php", quote, provider);
    return task.task_id;
  }),
];

/** A task at each moment, as everyone reads it, with the words in which the public and those inside have to be told where it stands. */
export async function atEveryMoment(of: Installation, requester: Agent, provider: Agent) {
  const moments = [];
  for (const { name, asks, build } of MOMENTS) {
    const taskId = await build(of, requester, provider);
    const answer = await fetch(`${of.service.baseUrl}/api/v1/jobs/show.php?task_id=${taskId}`);
    const { task: json } = (await answer.json()) as { task: TaskWire };
    const { word } = standingOf(json);
    // A hold shows to the parties and administrators only.
    const { word: inside } = standingOf({ ...json, held: name === "held" });
    moments.push({ name, asks, taskId, json, word, inside });
  }
  return moments;
}
