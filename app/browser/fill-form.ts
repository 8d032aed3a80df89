/** What is typed into a form, by field; of radio buttons, the value of the chosen one. */
export type Draft = Record<string, string | boolean>;

type Fillable = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isOf = (type: "checkbox" | "radio", field: Element): field is HTMLInputElement =>
  field instanceof HTMLInputElement && field.type === type;

// Never kept: files can't be, and passwords must not be.
const UNKEPT = ["file", "password"];

function fieldsOf(form: HTMLFormElement): Fillable[] {
  const isFillable = (field: Element): field is Fillable =>
    field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
  return [...form.elements].filter(isFillable).filter((field) => field.name !== "" && !UNKEPT.includes(field.type));
}

/** Writes values into a form's fields. */
export function fillForm(form: HTMLFormElement, values: Draft): void {
  for (const field of fieldsOf(form)) {
    const value = values[field.name];
    if (value === undefined) continue;
    if (isOf("checkbox", field)) field.checked = value === true;
    else if (isOf("radio", field)) field.checked = field.value === value;
    else field.value = String(value);
    // For listeners that follow what is typed.
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

export function readForm(form: HTMLFormElement): Draft {
  const filled = fieldsOf(form).filter((field) => !isOf("radio", field) || field.checked);
  return Object.fromEntries(filled.map((field) => [field.name, isOf("checkbox", field) ? field.checked : field.value]));
}
