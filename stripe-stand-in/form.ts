/** A request's parameters before validation: text from a form, any JSON in version 2. */
export type Raw = string | number | boolean | null | Raw[] | { [name: string]: Raw };
export type RawFields = { [name: string]: Raw };

/** Reads `a[b][0]=c` into nested fields; a list stays an object with the keys 0, 1, … */
export function readForm(text: string): RawFields {
  const fields: RawFields = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll("]", "").split("[");
    let at = fields;
    for (const part of path.slice(0, -1)) {
      const next = at[part];
      if (isFields(next)) at = next;
      else {
        const made: RawFields = {};
        at[part] = made;
        at = made;
      }
    }
    at[path.at(-1) ?? ""] = value;
  }
  return fields;
}

export function isFields(value: Raw | undefined): value is RawFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
