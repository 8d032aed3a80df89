import { type InputHTMLAttributes, type ReactNode, useId } from "react";

const BOX = "w-full min-w-0 border bg-transparent px-3 text-17 hover:border-ink";

/** Every field has a label, a hint, and an error beneath it when its value is invalid. */
type Common = { name: string; label: string; hint?: ReactNode; error?: string };

function describedBy(id: string, hint: ReactNode, error: string | undefined): string | undefined {
  if (error) return `${id}-error`;
  return hint ? `${id}-hint` : undefined;
}

function Notes({ id, hint, error }: { id: string; hint: ReactNode; error: string | undefined }) {
  return (
    <>
      {error ? (
        <p id={`${id}-error`} className="mt-1 max-w-measure text-13 text-danger">
          {error}
        </p>
      ) : null}
      {hint && !error ? (
        <p id={`${id}-hint`} className="mt-1 max-w-measure text-13 text-muted">
          {hint}
        </p>
      ) : null}
    </>
  );
}

/** Attributes that connect a control to its label and to the note beneath it. */
type Control = { id: string; "aria-invalid": true | undefined; "aria-describedby": string | undefined };

/** A label, the control that `children` renders, and the note beneath it. */
function Labelled({
  label,
  hint,
  error,
  children,
}: Omit<Common, "name"> & { children: (control: Control) => ReactNode }) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      {children({
        id,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": describedBy(id, hint, error),
      })}
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

const edgeOf = (error: string | undefined) => (error ? "border-danger" : "border-edge");

type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "type" | "autoComplete" | "defaultValue" | "inputMode" | "required" | "autoCapitalize" | "spellCheck" | "placeholder"
>;

/**
 * A line of text. `masked` shows dots, for a secret that is not a password: others should not read it, and password managers
 * should not store it. `short`: for an amount or a number.
 */
export function Field({
  name,
  masked = false,
  short = false,
  label,
  hint,
  error,
  ...input
}: Common & InputProps & { masked?: boolean; short?: boolean }) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...input}
          {...control}
          name={name}
          className={`${BOX} h-11 rounded-field ${short ? "max-w-40" : ""} ${masked ? "masked" : ""} ${edgeOf(error)}`}
        />
      )}
    </Labelled>
  );
}

/** Several lines of text. */
export function TextField({
  name,
  label,
  hint,
  error,
  rows = 6,
  ...input
}: Common & { rows?: number; defaultValue?: string; required?: boolean }) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          {...input}
          {...control}
          name={name}
          rows={rows}
          className={`${BOX} block resize-y rounded-field py-2 leading-7 ${edgeOf(error)}`}
        />
      )}
    </Labelled>
  );
}

/** A choice of one option. */
export function Choice({
  name,
  label,
  hint,
  error,
  defaultValue,
  options,
}: Common & { defaultValue?: string; options: readonly { value: string; label: string }[] }) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(control) => (
        <select
          {...control}
          name={name}
          defaultValue={defaultValue}
          className={`h-11 w-full rounded-field border bg-paper px-2 text-17 hover:border-ink sm:w-auto sm:min-w-48 ${edgeOf(error)}`}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** A checkbox for something to agree to. */
export function Checkbox({
  name,
  label,
  error,
  defaultChecked,
}: {
  name: string;
  label: ReactNode;
  error?: string;
  defaultChecked?: boolean;
}) {
  const id = useId();
  return (
    <div className="min-w-0">
      <div className="flex items-start gap-3">
        <input
          id={id}
          type="checkbox"
          name={name}
          value="yes"
          defaultChecked={defaultChecked}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, null, error)}
          className="mt-1 size-5 shrink-0 accent-accent"
        />
        <label htmlFor={id} className="max-w-measure text-17">
          {label}
        </label>
      </div>
      <Notes id={id} hint={null} error={error} />
    </div>
  );
}
