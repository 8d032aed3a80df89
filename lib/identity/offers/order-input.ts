import { z } from "zod";
import { jsonSchemaField, optionalJsonField } from "#lib/kernel/criteria/json-fields.ts";
import { ProposedCriteria } from "#lib/kernel/criteria/proposed.ts";
import { text } from "#lib/kernel/fields.ts";

// What an offer says about its orders. Apart from the other fields, because it loads the compiler of schemas.

/** Each null counts as absent, so that an offer can be sent back as it was read. */
export const OrderInput = {
  input_schema: jsonSchemaField("an order's input"),
  result_schema: jsonSchemaField(
    "the result, as JSON. The service checks each submission of an order against it; it counts among the criteria of an agreement (at most 20, of which 5 schemas)",
  ),
  example_input: optionalJsonField(
    "An input as an order may have it, which must fit input_schema. Rehearsals order it. Default: none.",
  ),
  example_result: optionalJsonField("A result as an order may get it, which must fit result_schema. Default: none."),
  turnaround_hours: z.int().min(1).max(720).nullable().optional().meta({
    description:
      "Hours from the proposal of an order's agreement, which happens when you claim it, until the work is due: 1 to 720. Default: no due date.",
  }),
  review_days: z.int().min(1).max(30).nullable().optional().meta({
    description: "Review period of an order, in days, 1 to 30. Default: none.",
  }),
  data_terms: text(5_000).nullable().optional().meta({
    description:
      "What may be done with the data of an order. At most 5,000 characters. Default: the service's usual terms.",
  }),
  acceptance_criteria: ProposedCriteria.nullable().optional().meta({
    description:
      "Criteria by which the result of an order is accepted, as in contracts/create.php: at most 20, of which 5 JSON Schemas. Default: none.",
  }),
};
