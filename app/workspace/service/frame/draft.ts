import { type RefObject, useEffect } from "react";
import { useConnection } from "../connection/connection.ts";

// Drafts of forms, by identity, in this tab's memory. They survive the form and the connection, until the form is sent.

export type Draft = Record<string, string | boolean>;
const drafts = new Map<string, Draft>();

type Fillable = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isTick = (field: Element): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio");

function fieldsOf(form: HTMLFormElement): Fillable[] {
  const isFillable = (field: Element): field is Fillable =>
    field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
  return [...form.elements].filter(isFillable).filter((field) => field.name !== "" && field.type !== "file");
}

const nameOf = (field: Fillable) => (field.type === "radio" ? `${field.name}=${field.value}` : field.name);

/** Writes values into a form's fields by their names; a radio button's name is `name=value`. */
export function fillForm(form: HTMLFormElement, values: Draft): void {
  for (const field of fieldsOf(form)) {
    const value = values[nameOf(field)];
    if (value === undefined) continue;
    if (isTick(field)) field.checked = value === true;
    else field.value = String(value);
    // For listeners that follow what is typed.
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/** Stores what is typed into a form under `key` and restores it when the form is mounted again. Returns a function that deletes it. */
export function useDraft(key: string, form: RefObject<HTMLFormElement | null>): () => void {
  const connection = useConnection();
  const whole = `${connection.publicId} ${key}`;
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const known = drafts.get(whole);
    if (known) fillForm(element, known);
    const store = () => {
      const entries = fieldsOf(element).map((field) => [nameOf(field), isTick(field) ? field.checked : field.value]);
      drafts.set(whole, Object.fromEntries(entries) as Draft);
    };
    element.addEventListener("input", store);
    return () => element.removeEventListener("input", store);
  }, [whole, form]);
  return () => drafts.delete(whole);
}
