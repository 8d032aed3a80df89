import assert from "node:assert/strict";
import { test } from "node:test";
import { lapseClaims } from "#lib/tasks/lapse.ts";
import { TASK_STATES, type TaskState } from "#lib/tasks/machine.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { admin } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { callAs, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import type { Verb } from "#testing/requests.ts";
import { did, passTime, taskAt, type Work } from "#testing/workflow.ts";
import { completeReviewed } from "./auto-complete.ts";

// Nobody holds another: a party that hears nothing comes to an end by steps of its own, within the times that the task and its terms say.

let agents: Record<"requester" | "provider", TestAgent>;
testService({}, async () => {
  agents = { requester: await verifiedAgent(), provider: await verifiedAgent() };
});

const ENDS: TaskState[] = ["completed", "cancelled", "expired"];
const STATES = TASK_STATES.filter((state) => !ENDS.includes(state));

/** Steps that end a task, or a party's part in it, without the other. */
const WAYS_OUT: Verb[] = ["cancel", "release", "complete", "conclude", "leave", "give_up"];

const show = async (agent: TestAgent, { taskId }: Work) =>
  (await callAs<{ task: TaskWire }>(agent, "GET", "/api/v1/jobs/show.php", { task_id: taskId })).body.task;

const DAY = 86_400_000;

/** Lets time pass until the end of the first clock, and the service act. @returns the days */
async function wait(work: Work, { clocks: [clock] }: TaskWire): Promise<number> {
  assert.ok(clock, "nothing runs that would end this");
  const days = Math.max(0, (Date.parse(clock.ends_at) - Date.now()) / DAY) + 0.001;
  await passTime(work.taskId, days);
  for (const sweep of [lapseClaims, completeReviewed])
    await sweep({ ...admin, actor: { kind: "system", id: "worker" } });
  return days;
}

const TERMS = [
  { name: "without a due date or a review period", terms: {}, most: { claim: 3, work: 30, review: 30 } },
  {
    name: "with a due date and a review period",
    terms: { due_at: new Date(Date.now() - DAY * 3).toISOString(), grace_hours: 48, review_days: 2 },
    most: { claim: 3, work: 0, review: 2 },
  },
];

for (const { name, terms, most } of TERMS)
  for (const state of STATES)
    for (const role of ["requester", "provider"] as const)
      test(`a ${role} that hears nothing is free of a task that is ${state}, ${name}`, async () => {
        const task = role === "provider" && state === "open" ? {} : { claim_hours: 72 };
        const work = await taskAt(state, agents, { task, terms, amountPence: state === "accepted" ? 0 : 500 });
        const me = agents[role];
        if (state === "proposed") await did(me, "accept", work);
        let waited = 0;
        for (let tries = 0; tries < 4; tries += 1) {
          const now = await show(me, work);
          const isParty = [now.parties.requester, now.parties.provider].some(
            (party) => party?.public_id === me.publicId,
          );
          if (ENDS.includes(now.state) || !isParty) {
            const clock = {
              claimed: "claim",
              proposed: "claim",
              accepted: "work",
              in_progress: "work",
              submitted: "review",
            };
            const limit = most[clock[state as keyof typeof clock] as keyof typeof most] ?? 0;
            assert.ok(waited <= limit + 0.01, `it took ${waited} days`);
            return;
          }
          const way = WAYS_OUT.find((verb) =>
            now.available_actions.some(({ action, ready }) => action === verb && ready),
          );
          if (way) await did(me, way, work);
          else waited += await wait(work, now);
        }
        assert.fail(`still ${(await show(me, work)).state}`);
      });
