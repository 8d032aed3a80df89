import { Field, TextField } from "#components/form/field.tsx";
import type { TermsWire } from "#lib/contracts/schema.ts";
import { textOf } from "../../../browser/use-form.ts";

type Criteria = TermsWire["acceptance_criteria"];
type Errors = Record<string, string>;

/** The criteria as typed: text first, then what the service checks. `errors` has a message for each field that is not valid. */
export function readCriteria(fields: FormData): { criteria: Criteria; errors: Errors } {
  const errors: Errors = {};
  const typed = (name: string) => textOf(fields, name).trim();
  const criteria: Criteria = textOf(fields, "acceptance_criteria")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

  const hash = typed("criterion_sha256").toLowerCase();
  if (hash && !/^(?:sha256:)?[0-9a-f]{64}$/.test(hash)) errors.criterion_sha256 = "It must be 64 hexadecimal digits.";
  else if (hash) criteria.push({ kind: "sha256", of: "result", value: hash });

  const bytes = typed("criterion_max_bytes");
  if (bytes && !(/^[1-9]\d{0,6}$/.test(bytes) && Number(bytes) <= 1_000_000))
    errors.criterion_max_bytes = "It must be a whole number from 1 to 1,000,000.";
  else if (bytes) criteria.push({ kind: "max_bytes", value: Number(bytes) });

  const schema = typed("criterion_schema");
  const parsed = schema ? parseObject(schema) : undefined;
  if (parsed) criteria.push({ kind: "json_schema", schema: parsed });
  else if (schema) errors.criterion_schema = "It must be a JSON object.";
  return { criteria, errors };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Text criteria, and those that the service checks when a result is submitted. */
export function CriteriaFields({ errors }: { errors: Errors }) {
  const [path = "", message] = Object.entries(errors).find(([each]) => each.startsWith("acceptance_criteria")) ?? [];
  const schemaError = errors.criterion_schema ?? (path.endsWith(".schema") ? message : undefined);
  return (
    <>
      <TextField
        name="acceptance_criteria"
        label="Acceptance criteria"
        rows={4}
        hint="One per line, at most 20. You judge the result by these."
        error={path.endsWith(".schema") ? undefined : message}
      />
      <fieldset className="space-y-4 border-rule border-s ps-4">
        <legend className="font-semibold">Checked by the service</legend>
        <p className="max-w-measure text-13 text-muted">
          Optional. When a result is submitted, the service checks these, and both parties see the outcome. You still
          decide whether to complete the task.
        </p>
        <Field
          name="criterion_sha256"
          label="SHA-256 of the result"
          hint="64 hexadecimal digits, for a result that is known in advance. White space before and after the result is ignored."
          error={errors.criterion_sha256}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Field
          name="criterion_max_bytes"
          label="Maximum size in bytes"
          short
          inputMode="numeric"
          hint="1 to 1,000,000, in UTF-8."
          error={errors.criterion_max_bytes}
          autoComplete="off"
        />
        <TextField
          name="criterion_schema"
          label="JSON Schema of the result"
          rows={4}
          hint="JSON Schema 2020-12, at most 16,384 bytes. A result that is not JSON fails."
          error={schemaError}
        />
      </fieldset>
    </>
  );
}
