import { completeFor } from "#lib/admin/complete.ts";
import { commandLineContext } from "#lib/admin/context.ts";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { allowAction, denyAction, setRisk } from "#lib/admin/restrictions.ts";
import { restoreIdentity, suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { replaceProber } from "#lib/identity/domain/probing.ts";
import { recheckDomain } from "#lib/identity/domain/verify-domain.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { expireDueTasks } from "#lib/tasks/advance.ts";
import { provingProber } from "#testing/client.ts";
import { workerContext } from "#testing/live.ts";
import { expire } from "#testing/workflow.ts";
import { type Act, actionOf, resolutionOf, riskOf, type Verb } from "./act.ts";
import { NOTHING, type Outcome, type Stage } from "./stage.ts";
import { AGENTS, type ModelTask, newWorld, type World } from "./world.ts";

// What does not happen over HTTP: the administrator's decisions, the service's own work, and time.

const admin = commandLineContext("model");
const reason = "The model says so.";

/** Carries out a command of this kind; undefined for one that a service identity sends. */
export function outside(stage: Stage, world: World, act: Act, task: ModelTask): Promise<Outcome> | undefined {
  const doing = OUTSIDE[act.verb];
  return doing && attempt(() => doing(stage, act, task, world));
}

type Doing = (stage: Stage, act: Act, task: ModelTask, world: World) => unknown;

const onTask =
  (change: typeof hold): Doing =>
  (_stage, _act, { id: subjectId }) =>
    change(admin, { subjectId, reason });
const onAgent =
  (change: typeof hold): Doing =>
  ({ agents }, { who }) =>
    change(admin, { subjectId: agents[who].publicId, reason });
const onStanding =
  (change: typeof suspendIdentity): Doing =>
  ({ agents }, { who }) =>
    change(admin, { publicId: agents[who].publicId, reason });
const onPermission =
  (change: typeof denyAction): Doing =>
  ({ agents }, act, _task, world) =>
    change(admin, { publicId: agents[act.who].publicId, action: actionOf(world, act), reason });

const OUTSIDE: Partial<Record<Verb, Doing>> = {
  hold_task: onTask(hold),
  unhold_task: onTask(unhold),
  hold: onAgent(hold),
  unhold: onAgent(unhold),
  suspend: onStanding(suspendIdentity),
  restore: onStanding(restoreIdentity),
  deny: onPermission(denyAction),
  allow: onPermission(allowAction),
  rate: ({ agents }, act) => setRisk(admin, { publicId: agents[act.who].publicId, risk: riskOf(act), reason }),
  resolve: (_stage, act, task) =>
    resolveDispute(admin, {
      disputeId: task.disputes.at(-1)?.id ?? newId("dsp"),
      resolution: resolutionOf(act),
      reason,
    }),
  complete_for: (_stage, _act, { id: taskId }) => completeFor(admin, { taskId, reason }),
  pass_time: (_stage, _act, { id }) => expire(id),
  sweep: () => expireDueTasks(workerContext()),
  fail_check: async ({ agents }, { who }) => {
    replaceProber({ probe: async () => ({ ok: false, reason: "timeout", detail: "It took too long." }) });
    await recheckDomain(workerContext(), agents[who].publicId).finally(() => replaceProber(provingProber));
  },
};

/** The outcome of such a command, in the form of an HTTP answer. */
async function attempt(work: () => unknown): Promise<Outcome> {
  const outcome = { gates: [], made: NOTHING, read: {} };
  try {
    await work();
    return { ...outcome, status: 200, code: undefined };
  } catch (error) {
    if (error instanceof ApiError) return { ...outcome, status: error.status, code: error.code };
    throw error;
  }
}

/** Resets all agents to the state of a new world. */
export async function reset(stage: Stage): Promise<void> {
  const fresh = newWorld().agents;
  for (const who of AGENTS) {
    const { publicId } = stage.agents[who];
    await unhold(admin, { subjectId: publicId, reason });
    await restoreIdentity(admin, { publicId, reason });
    const { risk, denied, proved } = fresh[who];
    await pool().query(
      "UPDATE identities SET risk = $2, denied_actions = $3, domain_status = $4, domain_failures = 0 WHERE id = $1",
      [publicId, risk, denied, proved ? "verified" : "unverified"],
    );
  }
  const { rows } = await pool().query<{ count: number }>("SELECT count(*)::int AS count FROM tasks");
  stage.earlierTasks = rows[0]?.count ?? 0;
}
