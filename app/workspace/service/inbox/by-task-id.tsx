import { Field } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { type Outcome, refuse } from "../../../browser/call.ts";
import { textOf, useForm } from "../../../browser/use-form.ts";
import { placeOf, taskPath } from "../frame/place.ts";
import { goTo } from "../frame/place-link.tsx";

/** Leads to a task whose ID somebody told. */
export function ByTaskId() {
  const form = useForm(
    async (fields): Promise<Outcome<string>> => {
      const path = taskPath(textOf(fields, "task_id").trim());
      if (placeOf(path)) return { ok: true, body: path };
      return refuse("This is no task ID.", { task_id: "It must be tsk_ and 22 characters." });
    },
    (path) => goTo(path),
  );
  return (
    <section aria-labelledby="by-id">
      <h2 id="by-id" className="font-semibold text-21">
        By its ID
      </h2>
      <p className="mt-1 max-w-measure">
        An unlisted task stands in no list. Whoever was told its ID, and has a verified domain, may claim it.
      </p>
      <form {...form.props} className="mt-4 max-w-140 space-y-4">
        <Field
          name="task_id"
          label="Task ID"
          error={form.errorOf("task_id")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <SendButton pending={form.pending}>Open the task</SendButton>
      </form>
    </section>
  );
}
