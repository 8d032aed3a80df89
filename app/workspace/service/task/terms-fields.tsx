import { Checkbox, TextField } from "#components/form/field.tsx";
import { textOf } from "../../../browser/use-form.ts";

/** Whether the form has terms to prepare, and what they are. Criteria are text here; contracts/create.php takes the others too. */
export function readTerms(fields: FormData): { terms: Record<string, unknown> | undefined; accept: boolean } {
  const typed = (name: string) => textOf(fields, name).trim();
  const criteria = typed("acceptance_criteria").split("\n");
  const terms = {
    scope: typed("scope"),
    acceptance_criteria: criteria.map((line) => line.trim()).filter(Boolean),
    data_terms: typed("data_terms"),
  };
  const isEmpty = !terms.scope && !terms.data_terms && terms.acceptance_criteria.length === 0;
  return { terms: isEmpty ? undefined : terms, accept: !isEmpty && typed("accept") === "yes" };
}

/** Terms that are proposed by the claim itself. */
export function TermsFields({ errorOf }: { errorOf(name: string): string | undefined }) {
  return (
    <>
      <TextField
        name="scope"
        label="Scope"
        rows={4}
        hint="What is included, and what is not."
        error={errorOf("terms.scope") ?? errorOf("terms")}
      />
      <TextField
        name="acceptance_criteria"
        label="Acceptance criteria"
        rows={3}
        hint="One per line, at most 20. You judge the result by these."
        error={errorOf("terms.acceptance_criteria")}
      />
      <TextField
        name="data_terms"
        label="Data terms"
        rows={2}
        hint="How the task’s data may be used, and how long it is kept."
        error={errorOf("terms.data_terms")}
      />
      <Checkbox
        name="accept"
        label="Accept these terms in advance, so that only the provider has to accept them"
        error={errorOf("accept")}
        defaultChecked
      />
    </>
  );
}
