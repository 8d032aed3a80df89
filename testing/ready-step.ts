import type { GatedAction } from "#lib/tasks/gates.ts";
import type { TaskState } from "#lib/tasks/machine.ts";
import type { TestAgent } from "./factories.ts";
import type { Verb } from "./requests.ts";
import { did, passTime, taskAt, type Work } from "./workflow.ts";

/** A state from which each step succeeds, who takes it, and the name by which it is gated. */
const STEPS: Record<Verb, [state: TaskState, by: "requester" | "provider", action: GatedAction]> = {
  prepare: ["open", "requester", "prepare"],
  claim: ["open", "provider", "claim"],
  release: ["claimed", "provider", "release"],
  propose: ["claimed", "requester", "propose"],
  accept: ["proposed", "provider", "accept"],
  decline: ["proposed", "provider", "decline"],
  fund: ["accepted", "requester", "fund"],
  confirm: ["accepted", "requester", "confirm"],
  start: ["accepted", "provider", "start"],
  submit: ["in_progress", "provider", "submit"],
  request_changes: ["submitted", "requester", "request_changes"],
  complete: ["submitted", "requester", "complete"],
  cancel: ["claimed", "requester", "cancel"],
  dispute: ["submitted", "provider", "dispute"],
  select: ["open", "requester", "select"],
  dismiss: ["claimed", "requester", "dismiss"],
  conclude: ["submitted", "provider", "conclude"],
  leave: ["accepted", "requester", "leave"],
  give_up: ["accepted", "provider", "give_up"],
};

/** A task, with this skill, on which a step can be taken, who takes it, and the name by which it is gated. */
export async function readyFor(
  verb: Verb,
  parties: Pick<Work, "requester" | "provider">,
  skill: string,
): Promise<{ work: Work; agent: TestAgent; action: GatedAction }> {
  const [state, by, action] = STEPS[verb];
  const work = await taskAt(state, parties, { task: { skill } });
  if (verb === "confirm" || verb === "start") await did(parties.requester, "fund", work);
  if (verb === "start") await did(parties.requester, "confirm", work);
  if (verb === "conclude" || verb === "leave") await passTime(work.taskId, 31);
  return { work, agent: parties[by], action };
}
