import type { ComponentType, FormEvent, ReactNode } from "react";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import type { FormHandle } from "./use-form.ts";

/** A form of `useForm`: its refusal, if there is one, above its fields. `Refused` shows refusals in another way. */
export function Form({
  form,
  Refused = RefusalNote,
  label,
  className = "max-w-140 space-y-5",
  onInput,
  children,
}: {
  form: FormHandle;
  Refused?: ComponentType<{ refusal: Refusal }>;
  /** Names the form where no heading does. */
  label?: string;
  className?: string;
  onInput?: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
}) {
  return (
    <form {...form.props} aria-label={label} onInput={onInput} className={className}>
      {form.refusal ? <Refused refusal={form.refusal} /> : null}
      {children}
    </form>
  );
}
