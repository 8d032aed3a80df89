"use client";

import { type FormEvent, type InputHTMLAttributes, type ReactNode, useEffect, useId, useState } from "react";

const BOX = "w-full min-w-0 border bg-transparent px-3 text-17 hover:border-ink";

/** Every field has a label, a hint, and an error beneath it when its value is invalid. */
type Common = { name: string; label: string; hint?: ReactNode; error?: string };

/** What the browser knows as a control of a form. */
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * The error beside a field: that it is empty (see useForm), or what the service says about it. It goes when the value is changed, and
 * the next attempt checks it again.
 */
function useError(id: string, error: string | undefined) {
  const [own, setOwn] = useState<"empty" | "changed" | null>(null);
  useEffect(() => {
    const { form } = document.getElementById(id) as Control;
    const attempt = () => setOwn(null);
    form?.addEventListener("submit", attempt, { capture: true });
    return () => form?.removeEventListener("submit", attempt, { capture: true });
  }, [id]);
  return {
    error: own === "empty" ? "It must not be empty." : own === "changed" ? undefined : error,
    onInvalid: ({ currentTarget }: FormEvent<Control>) => {
      if (currentTarget.validity.valueMissing) setOwn("empty");
    },
    onInput: () => setOwn((known) => (known === "empty" || error ? "changed" : known)),
  };
}

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
type Connected = {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
  onInvalid: (event: FormEvent<Control>) => void;
  onInput: () => void;
};

/** A label, the control that `children` renders, and the note beneath it. */
function Labelled({
  label,
  hint,
  error: given,
  isOptional = false,
  children,
}: Omit<Common, "name"> & {
  isOptional?: boolean;
  children: (control: Connected, error: string | undefined) => ReactNode;
}) {
  const id = useId();
  const { error, ...heard } = useError(id, given);
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
        {isOptional ? <span className="font-normal text-13 text-muted"> (optional)</span> : null}
      </label>
      {children(
        {
          ...heard,
          id,
          "aria-invalid": error ? true : undefined,
          "aria-describedby": describedBy(id, hint, error),
        },
        error,
      )}
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

const edgeOf = (error: string | undefined) => (error ? "border-danger" : "border-edge");

type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | "type"
  | "autoComplete"
  | "defaultValue"
  | "value"
  | "onChange"
  | "inputMode"
  | "required"
  | "autoCapitalize"
  | "spellCheck"
  | "placeholder"
>;

/**
 * A line of text. `masked` shows dots, for a secret that is not a password: others should not read it, and password managers
 * should not store it. `short`: for an amount or a number.
 */
export function Field({
  name,
  masked = false,
  short = false,
  required = false,
  isOptional = false,
  label,
  hint,
  error: given,
  ...input
}: Common & InputProps & { masked?: boolean; short?: boolean; isOptional?: boolean }) {
  return (
    <Labelled label={label} hint={hint} error={given} isOptional={isOptional}>
      {(control, error) => (
        <input
          {...input}
          {...control}
          required={required}
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
  error: given,
  rows = 6,
  required = false,
  isOptional = false,
  ...input
}: Common & { rows?: number; defaultValue?: string; required?: boolean; isOptional?: boolean }) {
  return (
    <Labelled label={label} hint={hint} error={given} isOptional={isOptional}>
      {(control, error) => (
        <textarea
          {...input}
          required={required}
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
  error: given,
  defaultValue,
  options,
}: Common & { defaultValue?: string; options: readonly { value: string; label: string }[] }) {
  return (
    <Labelled label={label} hint={hint} error={given}>
      {(control, error) => (
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
