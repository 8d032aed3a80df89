import type { FieldSpec } from "../../../browser/read-fields.ts";

/** Terms that are proposed by the claim itself. Criteria are text here; contracts/create.php takes the others too. */
export const TERMS: readonly FieldSpec[] = [
  { name: "scope", wire: "terms.scope", label: "Scope", rows: 4, hint: "What is included, and what is not." },
  {
    name: "acceptance_criteria",
    wire: "terms.acceptance_criteria",
    label: "Acceptance criteria",
    as: "lines",
    rows: 3,
    hint: "One per line, at most 20. You judge the result by these.",
  },
  {
    name: "data_terms",
    wire: "terms.data_terms",
    label: "Data terms",
    rows: 2,
    hint: "How the task’s data may be used, and how long it is kept.",
  },
  {
    name: "accept",
    as: "tick",
    value: "yes",
    label: "Accept these terms in advance, so that only the provider has to accept them",
  },
];

const EMPTY = { scope: "", acceptance_criteria: [], data_terms: "" };

/** The values of a form with these fields among others: complete terms, or none. */
export function withTerms({ terms, accept, ...others }: Record<string, unknown>, more: object = {}) {
  return terms ? { ...others, terms: { ...EMPTY, ...(terms as object), ...more }, accept } : others;
}
