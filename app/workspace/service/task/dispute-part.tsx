import type { z } from "zod";
import { Copyable } from "#components/copyable.tsx";
import { BothSides, Decision } from "#components/dispute/both-sides.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { STATEMENTS_PER_SIDE } from "#lib/tasks/disputes/parties.ts";
import type { DisputeAnswer, DisputeWire } from "#lib/tasks/disputes/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { useConnection } from "../connection/connection.ts";
import { StepForm } from "../frame/step-form.tsx";
import { refreshTask } from "./task-resource.ts";

/** The disputes about a task: both sides of each, the decision, and the form for a statement while one is open. */
export function DisputePart({ task, disputes }: { task: TaskWire; disputes: DisputeWire[] }) {
  const [newest, ...earlier] = disputes;
  if (!newest) return null;
  return (
    <Part id="dispute" title="Dispute" className="" beside={<StateLabel kind="dispute" state={newest.state} />}>
      <Dispute task={task} dispute={newest} />
      {earlier.length > 0 ? (
        <details className="mt-6">
          <summary className="w-fit text-muted hover:text-ink">Earlier disputes ({earlier.length})</summary>
          <div className="mt-4 space-y-8">
            {earlier.map((dispute) => (
              <Dispute key={dispute.dispute_id} task={task} dispute={dispute} />
            ))}
          </div>
        </details>
      ) : null}
    </Part>
  );
}

function Dispute({ task, dispute }: { task: TaskWire; dispute: DisputeWire }) {
  const { requester, provider } = task.parties;
  // A provider that gave the task back is no longer among the task's parties.
  const other = [dispute.opened_by, ...dispute.statements.map((each) => each.public_id)].find(
    (id) => id !== requester.public_id,
  );
  const named = provider ?? { public_id: other ?? "", name: "The earlier provider" };
  return (
    <div className="space-y-5">
      <p className="text-13 text-muted">
        <Copyable value={dispute.dispute_id} label="dispute ID" />
      </p>
      <BothSides dispute={dispute} requester={requester} provider={named} />
      <Decision dispute={dispute} />
      {dispute.state === "open" ? (
        <>
          <p className="max-w-measure text-13 text-muted">
            The task cannot be completed until then. Opening a dispute refunds nothing and closes no checkout.
          </p>
          <Statement task={task} dispute={dispute} />
        </>
      ) : null}
    </div>
  );
}

function Statement({ task, dispute }: { task: TaskWire; dispute: DisputeWire }) {
  const { publicId } = useConnection();
  const made = dispute.statements.filter((each) => each.public_id === publicId).length;
  const offered = task.available_actions.some(({ action, ready }) => action === "dispute_statement" && ready);
  if (made >= STATEMENTS_PER_SIDE)
    return <p className="max-w-measure">You have made all {STATEMENTS_PER_SIDE} of your statements.</p>;
  return offered ? <StatementForm task={task} dispute={dispute} made={made} /> : null;
}

function StatementForm({ task, dispute, made }: { task: TaskWire; dispute: DisputeWire; made: number }) {
  const left = STATEMENTS_PER_SIDE - made;
  return (
    <section aria-labelledby="statement">
      <h3 id="statement" className="mb-3 font-semibold text-17">
        Your side
      </h3>
      <StepForm<z.output<typeof DisputeAnswer>>
        path="jobs/dispute_statement.php"
        about={{ dispute_id: dispute.dispute_id }}
        parts={[
          {
            name: "statement",
            label: "Your statement",
            rows: 5,
            required: true,
            hint: `For the other party and the administrator. It cannot be changed. At most 2,000 characters; ${left} of ${STATEMENTS_PER_SIDE} statements left.`,
          },
        ]}
        again={String(made)}
        draft={`dispute ${dispute.dispute_id}`}
        action="Send statement"
        primary={made === 0}
        done={() => refreshTask(task.task_id)}
      />
    </section>
  );
}
