/** Text that a spreadsheet would take for a formula, or for a cell of its own. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One line of a CSV file (RFC 4180), with its line break. A text that begins like a formula gets an apostrophe before it, so that no
 * spreadsheet runs it; numbers stay numbers. Pure.
 */
export function csvLine(values: readonly (string | number | boolean | Date | null)[]): string {
  return `${values.map(csvValue).join(",")}\r\n`;
}

function csvValue(value: string | number | boolean | Date | null): string {
  if (value === null) return "";
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
