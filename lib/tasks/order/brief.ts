import { canonicalJson } from "#lib/kernel/canonical-json.ts";

// The brief of an order by JSON has the input on a line of its own: canonical JSON has no line breaks.

const HEADING = "# Input\n\n";
const NOTE = "\n\n# Note\n\n";

/** The brief of an order, whose input is text if the offer has no schema for it. */
export function briefOf(input: unknown, hasSchema: boolean, note: string | undefined): string {
  const body = hasSchema ? `${HEADING}${canonicalJson(input)}` : String(input);
  return note ? `${body}${NOTE}${note}` : body;
}

/** The input of an order by JSON, as it was ordered; undefined if the order is text. */
export function inputIn(brief: string): unknown {
  if (!brief.startsWith(HEADING)) return undefined;
  try {
    return JSON.parse(brief.slice(HEADING.length).split("\n", 1)[0] ?? "");
  } catch {
    return undefined;
  }
}
