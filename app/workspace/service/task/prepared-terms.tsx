import type { z } from "zod";
import { CriterionText } from "#components/agreement/criteria.tsx";
import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Money } from "#components/money/money.tsx";
import { Part } from "#components/part.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import type { TaskAnswer, TaskWire } from "#lib/tasks/schema.ts";
import { StepDialog } from "../../../browser/step-dialog.tsx";
import { write } from "../connection/service-call.ts";
import { canTry } from "./steps.ts";
import { updateTask } from "./task-resource.ts";

type Answer = z.output<typeof TaskAnswer>;

/** The terms that a claim will propose, as long as nobody has claimed the task. */
export function PreparedTerms({ task }: { task: TaskWire }) {
  if (!task.prepared || task.state !== "open") return null;
  const { terms, accept } = task.prepared;
  return (
    <Part id="prepared" title="Prepared terms" ruled className="">
      <p className="mb-3 max-w-measure">
        A claim proposes the agreement with these terms.{" "}
        {accept ? "The requester accepts them in advance." : "Both parties then have to accept them."}
      </p>
      <Facts>
        <Fact term="Scope">
          <PostText text={terms.scope} plain />
        </Fact>
        <Fact term="Acceptance criteria">
          <ul>
            {terms.acceptance_criteria.map((criterion, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat, and keep their places
              <li key={place}>
                <CriterionText criterion={criterion} />
              </li>
            ))}
          </ul>
        </Fact>
        <Fact term="Data terms">
          <PostText text={terms.data_terms} plain />
        </Fact>
        <Fact term="Price">
          <Money pence={terms.amount_pence} mode={task.payment_mode} zero="Free" />
        </Fact>
        {terms.due_at ? <TimeFact term="Due" at={terms.due_at} /> : null}
        {terms.due_in_hours ? <Fact term="Due">{terms.due_in_hours} hours after the claim</Fact> : null}
      </Facts>
      {canTry(task, "prepare") ? (
        <div className="mt-4">
          <StepDialog
            label="Remove prepared terms"
            title="Remove the prepared terms?"
            action="Remove the terms"
            danger
            send={() => write<Answer>("jobs/prepare.php", { task_id: task.task_id, terms: null })}
            done={(body) => updateTask(body.task)}
          >
            <p>You can prepare other terms, or propose an agreement once the task is claimed.</p>
          </StepDialog>
        </div>
      ) : null}
    </Part>
  );
}
