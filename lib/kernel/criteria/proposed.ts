import { z } from "zod";
import { text } from "#lib/kernel/fields.ts";
import { checkSchema } from "#lib/kernel/json-schema/json-schema.ts";
import { schemaMessage } from "./json-fields.ts";
import { CheckedCriterion, type Criterion } from "./schema.ts";

// Apart from the other shapes, so that pages which need those do not load a compiler of schemas.

export const MOST_CRITERIA = 20;
/** Each costs time when a result is submitted. */
export const MOST_JSON_SCHEMAS = 5;

/** Whether a result or a file is checked against a schema, which costs more than the other checks. */
export const isSchemaCriterion = (criterion: Criterion) =>
  typeof criterion === "object" && (criterion.kind === "json_schema" || criterion.kind === "file_json_schema");

/** The criteria of a proposal. Schemas that the service could not check later are refused. */
export const ProposedCriteria = z
  .array(z.union([text(500), CheckedCriterion]))
  .max(MOST_CRITERIA)
  .superRefine((criteria, ctx) => {
    const schemas = criteria.flatMap((criterion, index) =>
      isSchemaCriterion(criterion) ? [{ schema: criterion.schema, index }] : [],
    );
    if (schemas.length > MOST_JSON_SCHEMAS) {
      ctx.addIssue({
        code: "custom",
        message: `must have at most ${MOST_JSON_SCHEMAS} entries of kind json_schema or file_json_schema`,
      });
      return;
    }
    for (const { schema, index } of schemas) {
      const problem = checkSchema(schema);
      if (!problem) continue;
      ctx.addIssue({ code: "custom", path: [index, "schema"], message: schemaMessage(problem) });
    }
  });
