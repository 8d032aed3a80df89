import { readFileSync } from "node:fs";
import type { Report, Verdict } from "../verify/report.ts";
import { verifyEvidence } from "../verify/verify.ts";

/** The exit code of each verdict. */
const VERIFY_CODES: Record<Verdict, number> = { proved: 0, broken: 1, consistent: 2, unreadable: 3 };

type Options = {
  /** A path; `-` reads standard input. */
  file: string;
  key?: string | undefined;
  witnesses?: readonly string[] | undefined;
  /** Prints the report as JSON instead of words. */
  json: boolean;
  line(text: string): void;
};

/** `guildhall verify FILE`: prints what an evidence file proves. @returns the exit code */
export async function verifyFile({ file, key, witnesses, json, line }: Options): Promise<number> {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    const report = { verdict: "unreadable", summary: `Unreadable: ${(error as Error).message}` };
    line(json ? JSON.stringify(report, null, 2) : report.summary);
    return VERIFY_CODES.unreadable;
  }
  const report = await verifyEvidence(text, { key, witnesses });
  line(json ? JSON.stringify(report, null, 2) : reportText(report));
  return VERIFY_CODES[report.verdict];
}

const STATES = { in_log: "in the log", waiting: "waiting", erased: "erased or withheld" } as const;

/** The report as text. It holds no control characters but line feeds. */
function reportText({ summary, chain, log, statements, problems, ...report }: Report): string {
  const list = (title: string, items: string[]) =>
    items.length > 0 ? ["", `${title}:`, ...items.map((item) => `  - ${item}`)] : [];
  return [
    summary,
    ...(chain ? [`About ${chain}${log ? `, from ${log.origin}` : ""}.`] : []),
    ...list("What is wrong", problems),
    ...list(
      "Entries",
      statements.map(({ n, at, words, state }) => `${n}. ${at ? `${at} ` : ""}${words} [${STATES[state]}]`),
    ),
    ...list("Proved", report.proved),
    ...list("Asserted", report.asserted),
    ...list("Not proved", report.not_proved),
  ].join("\n");
}
