/** Where a command writes. `isJson`: machines read it, so every answer is JSON. */
export type Output = {
  isJson: boolean;
  /** Colours and tables are for terminals. */
  isTerminal: boolean;
  line(text: string): void;
  /** For people, in addition to the answer: standard error. */
  note(text: string): void;
};

/** Colour, unless NO_COLOR is set. */
export function paint(output: Output, style: "bold" | "dim" | "green" | "red", text: string): string {
  if (!output.isTerminal || process.env.NO_COLOR) return text;
  const code = { bold: 1, dim: 2, green: 32, red: 31 }[style];
  return `\x1b[${code}m${text}\x1b[0m`;
}

/** Others' text without what a terminal would obey: control characters and bidirectional overrides. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** Prints an answer: JSON for machines, else a table of a list, or one line for each fact. */
export function show(output: Output, answer: object, list?: string): void {
  if (output.isJson) {
    output.line(JSON.stringify(answer, null, 2));
    return;
  }
  const { content_trust: _, ...rest } = answer as Record<string, unknown>;
  const rows = list === undefined ? undefined : (rest[list] as Record<string, unknown>[]);
  if (!rows || list === undefined) {
    for (const [name, value] of facts(rest)) output.line(`${paint(output, "bold", name)}  ${value}`);
    return;
  }
  for (const row of table(output, rows)) output.line(row);
  const { [list]: __, ...others } = rest;
  for (const [name, value] of facts(others))
    if (value !== "null") output.line(paint(output, "dim", `${name}  ${value}`));
}

/** The leaves of an answer with their paths. */
function facts(value: unknown, path = ""): [string, string][] {
  if (typeof value !== "object" || value === null) return [[path, plain(String(value))]];
  const entries = Object.entries(value);
  if (entries.length === 0) return path ? [[path, Array.isArray(value) ? "none" : ""]] : [];
  if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return [[path, plain(value.join(", "))]];
  return entries.flatMap(([key, inner]) => facts(inner, path ? `${path}.${key}` : key));
}

const WIDEST = 40;
/** Columns that tell little about an entry among others. */
const DULL = /^(?:summary|brief|result|description|currency|visibility|content_trust|.*_hash|.*_url)$/;

/** The columns that say most: scalars that every row has. Money is in pounds. */
function table(output: Output, rows: Record<string, unknown>[]): string[] {
  if (rows.length === 0) return ["none"];
  const isScalar = (value: unknown) => typeof value !== "object" || value === null;
  const names = Object.keys(rows[0] ?? {}).filter(
    (name) => rows.every((row) => isScalar(row[name])) && !DULL.test(name),
  );
  const columns = names.slice(0, 6);
  const heads = columns.map((name) => name.replace(/_pence$/, ""));
  const cells = rows.map((row) => columns.map((name) => cell(name, row[name])));
  const widths = heads.map((head, at) => Math.max(head.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const format = (row: string[]) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  return [paint(output, "bold", format(heads)), ...cells.map(format)];
}

function cell(name: string, value: unknown): string {
  if (name.endsWith("_pence") && typeof value === "number") return `£${(value / 100).toFixed(2)}`;
  const text = value === null ? "" : plain(String(value)).replaceAll(/\s+/g, " ");
  return text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text;
}
