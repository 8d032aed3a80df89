/** What is typed into a form, by field. The name of a radio button's entry is `name=value`. */
export type Draft = Record<string, string | boolean>;

type Fillable = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isTick = (field: Element): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio");

// Never kept: files can't be, and passwords must not be.
const UNKEPT = ["file", "password"];

function fieldsOf(form: HTMLFormElement): Fillable[] {
  const isFillable = (field: Element): field is Fillable =>
    field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
  return [...form.elements].filter(isFillable).filter((field) => field.name !== "" && !UNKEPT.includes(field.type));
}

const nameOf = (field: Fillable) => (field.type === "radio" ? `${field.name}=${field.value}` : field.name);

/** Writes values into a form's fields. */
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

export function readForm(form: HTMLFormElement): Draft {
  const entries = fieldsOf(form).map((field) => [nameOf(field), isTick(field) ? field.checked : field.value]);
  return Object.fromEntries(entries) as Draft;
}
