import { z } from "zod";
import { FileName, MAX_FILE_BYTES, MediaType, OF_FILES } from "#lib/kernel/file-fields.ts";

/** More than a result can have. */
const MOST_BYTES = 1_000_000;

const Sha256Criterion = z
  .strictObject({
    kind: z.literal("sha256").meta({ description: "The result has this SHA-256." }),
    of: z.literal("result").meta({
      description:
        "What is hashed: the UTF-8 bytes of the submitted result as it is stored and shown, that is with line feeds as line ends, in Unicode's composed form (NFC) and without white space around it.",
    }),
    value: z
      .string()
      .regex(
        /^(?:sha256:)?[0-9a-f]{64}$/,
        "must be 64 hexadecimal digits in lower case, with or without sha256: before",
      )
      .meta({ description: "The expected hash: 64 hexadecimal digits in lower case, with or without sha256: before." }),
  })
  .meta({ description: "The result has a known hash." });

const JsonSchemaCriterion = z
  .strictObject({
    kind: z.literal("json_schema").meta({ description: "The result is JSON that fits a schema." }),
    schema: z
      .custom<Record<string, unknown>>(
        (value) => typeof value === "object" && value !== null && !Array.isArray(value),
        {
          error: "must be an object",
        },
      )
      .meta({
        type: "object",
        additionalProperties: true,
        description:
          "JSON Schema 2020-12 for the result, at most 16,384 bytes as canonical JSON and 1,000 subschemas. References lead into the schema itself (#/…) and never in a circle. Patterns have at most 256 characters and no look-around or back-references. format and content… check nothing. Unknown keywords are refused, unless they begin with x-. A result that is not JSON fails.",
      }),
  })
  .meta({ description: "The result is JSON that fits a schema." });

const MaxBytesCriterion = z
  .strictObject({
    kind: z.literal("max_bytes").meta({ description: "The result is not longer than this." }),
    value: z.int().min(1).max(MOST_BYTES).meta({
      description: "Maximum size of the result, as it is stored, in bytes of UTF-8: 1 to 1,000,000.",
    }),
  })
  .meta({ description: "The result is at most this many bytes." });

const ofFile = { name: FileName.meta({ description: "Name of a file of the submission." }) };

const FilePresentCriterion = z
  .strictObject({
    kind: z.literal("file_present").meta({ description: "The submission has this file." }),
    ...ofFile,
    media_type: MediaType.optional().meta({
      description: "Media type that the file must be declared with. Default: any.",
    }),
    max_bytes: z.int().min(1).max(MAX_FILE_BYTES).meta({
      description: "Maximum size of the file in bytes: 1 to 26,214,400.",
    }),
  })
  .meta({ ...OF_FILES, description: "The submission has a file of this name that is not larger than this." });

const FileSha256Criterion = z
  .strictObject({
    kind: z.literal("file_sha256").meta({ description: "A file of the submission has this SHA-256." }),
    ...ofFile,
    value: Sha256Criterion.shape.value,
  })
  .meta({ ...OF_FILES, description: "A file of the submission has a known hash." });

const FileJsonSchemaCriterion = z
  .strictObject({
    kind: z.literal("file_json_schema").meta({ description: "A file of the submission is JSON that fits a schema." }),
    ...ofFile,
    schema: JsonSchemaCriterion.shape.schema.meta({
      type: "object",
      additionalProperties: true,
      description:
        "JSON Schema 2020-12 for the file, with the bounds of json_schema. A file of more than 1,000,000 bytes fails.",
    }),
  })
  .meta({ ...OF_FILES, description: "A file of the submission is JSON that fits a schema." });

export const CheckedCriterion = z
  .discriminatedUnion("kind", [
    Sha256Criterion,
    JsonSchemaCriterion,
    MaxBytesCriterion,
    FilePresentCriterion,
    FileSha256Criterion,
    FileJsonSchemaCriterion,
  ])
  .meta({
    id: "CheckedCriterion",
    description: "A machine-checked criterion: an object that the service checks each submitted result against.",
  });

/** A criterion as it stands in frozen terms. */
export const FrozenCriterion = z
  .union([z.string(), CheckedCriterion])
  .meta({ id: "Criterion", description: "Text for people to judge by, or a machine-checked criterion." });
export type Criterion = z.output<typeof FrozenCriterion>;

const CriterionResult = z
  .object({
    index: z.int().min(0).meta({ description: "Place of the criterion in the terms' acceptance_criteria, from 0." }),
    kind: z
      .enum(["sha256", "json_schema", "max_bytes", "file_present", "file_sha256", "file_json_schema"])
      .describe("Kind of the criterion."),
    passed: z.boolean().describe("Whether the submitted result meets it."),
    reason: z.string().nullable().describe("Why the result fails; null if it passes."),
  })
  .meta({ id: "CriterionResult", description: "Outcome of one check on a submitted result." });
export type CriterionResultWire = z.output<typeof CriterionResult>;

/** For the parties of a task. */
export const CRITERIA_FIELDS = {
  criteria_results: z.array(CriterionResult).nullable().optional().meta({
    description:
      "Only for parties: how the latest submission did against each machine-checked criterion of the agreement; null before a submission, or if there are no such criteria.",
  }),
  criteria_passed: z.boolean().nullable().optional().meta({
    description:
      "Only for parties: whether the latest submission passed every check; null if nothing was checked. The requester decides about completion either way.",
  }),
};
