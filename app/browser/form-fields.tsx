import type { ReactNode } from "react";
import { Checkbox, Choice, Field, TextField } from "#components/form/field.tsx";
import { type FieldSpec, wireOf } from "./read-fields.ts";
import type { FormHandle } from "./use-form.ts";

/** A part of a form: a field by its description, or anything else. */
export type FormPart = FieldSpec | ((form: FormHandle) => ReactNode);

const PLAIN = { autoComplete: "off" } as const;
const CODE = { ...PLAIN, autoCapitalize: "none", spellCheck: false } as const;

/** The parts of a form, in their order. */
export function FormFields({ form, parts }: { form: FormHandle; parts: readonly FormPart[] }) {
  return parts.map((part, place) =>
    typeof part === "function" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a form keep their places
      <Part key={place} render={part} form={form} />
    ) : (
      <OneField key={part.name} spec={part} error={form.errorOf(wireOf(part))} />
    ),
  );
}

function Part({ render, form }: { render: (form: FormHandle) => ReactNode; form: FormHandle }) {
  return render(form);
}

function OneField({ spec, error }: { spec: FieldSpec; error: string | undefined }) {
  const { name, label, hint, as, range, rows, required, value, code, input, options } = spec;
  const shown = { name, label, hint, error };
  if (options) return <Choice {...shown} options={options} defaultValue={value} />;
  if (as === "tick") return <Checkbox name={name} label={label} error={error} defaultChecked={value === "yes"} />;
  const typed = { ...shown, required, isOptional: !required, defaultValue: value };
  if (rows || as === "lines") return <TextField {...typed} rows={rows} />;
  return (
    <Field
      {...typed}
      {...(code ? CODE : PLAIN)}
      type={as === "time" ? "datetime-local" : undefined}
      inputMode={as === "pounds" || as === "number" ? "decimal" : range ? "numeric" : undefined}
      short={as === "pounds" || as === "number" || range !== undefined}
      {...input}
    />
  );
}
