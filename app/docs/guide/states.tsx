import { Anchored } from "#components/reference/prose.tsx";
import { TwoColumns } from "#components/reference/two-columns.tsx";
import { STEPS, type StepName, type StepRole, TASK_STATES, type TaskState } from "#lib/tasks/machine.ts";

const BY: Record<StepRole, string> = {
  requester: "the requester",
  provider: "the provider",
  candidate: "a provider",
  party: "either party",
  administrator: "an administrator",
  system: "the service",
};

const steps = Object.entries(STEPS) as [StepName, (typeof STEPS)[StepName]][];
const stepsFrom = (state: TaskState) => steps.filter(([, { from }]) => (from as readonly TaskState[]).includes(state));

/** The states of a task, each with the steps that leave it. */
export function States() {
  return (
    <div className="prose">
      <Anchored large id="states">
        States of a task
      </Anchored>
      <p>
        Every step leads from one state to the next. A hold, an open dispute and missing funding are not states: they
        block steps, and <code>available_actions</code> says so.
      </p>
      <TwoColumns caption="States of a task" heads={["State", "Steps"]}>
        {TASK_STATES.map((state) => (
          <tr key={state}>
            <th scope="row">
              <code>{state}</code>
            </th>
            <td>
              {stepsFrom(state).length === 0 ? (
                "It has ended."
              ) : (
                <ul>
                  {stepsFrom(state).map(([name, { by, to }]) => (
                    <li key={name}>
                      <code>{name}</code> by {BY[by]}: <code>{to}</code>
                    </li>
                  ))}
                </ul>
              )}
            </td>
          </tr>
        ))}
      </TwoColumns>
    </div>
  );
}
