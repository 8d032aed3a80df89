import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import type { Report, Verdict } from "../verify/report.ts";
import { verifyEvidence } from "../verify/verify.ts";

/** The exit code of each verdict. */
const VERIFY_CODES: Record<Verdict, number> = { proved: 0, broken: 1, consistent: 2, unreadable: 3 };

type Options = {
  /** A path; `-` reads standard input. */
  file: string;
  key?: string | undefined;
  witnesses?: readonly string[] | undefined;
  /** Paths of files that the evidence names, by their names in it. */
  files?: readonly { name: string; path: string }[];
} & How;
type How = {
  /** Prints the report as JSON instead of words. */
  json: boolean;
  line(text: string): void;
};

/** `guildhall verify FILE`: prints what an evidence file proves. @returns the exit code */
export async function verifyFile({ file, key, witnesses, files = [], json, line }: Options): Promise<number> {
  let text: string;
  const hashes: Record<string, string> = {};
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
    for (const { name, path } of files) hashes[name] = await hashOf(path);
  } catch (error) {
    const report = { verdict: "unreadable", summary: `Unreadable: ${(error as Error).message}` };
    line(json ? JSON.stringify(report, null, 2) : report.summary);
    return VERIFY_CODES.unreadable;
  }
  return showReport(await verifyEvidence(text, { key, witnesses, files: hashes }), { json, line });
}

/** @returns the exit code */
export function showReport(report: Report, { json, line }: How): number {
  line(json ? JSON.stringify(report, null, 2) : reportText(report));
  return VERIFY_CODES[report.verdict];
}

/** Read in pieces, because a file may be larger than memory. */
async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return `sha256:${hash.digest("hex")}`;
}

const MATCHES = { matches: "matches", differs: "differs", unchecked: "not compared" } as const;
const STATES = { in_log: "in the log", waiting: "waiting", erased: "erased or withheld", broken: "BROKEN" } as const;

/** The report as text. It holds no control characters but line feeds. */
function reportText({ summary, chain, log, statements, files, problems, ...report }: Report): string {
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
    ...list(
      "Files",
      files.map(
        ({ name, size, sha256, purpose, state }) =>
          `${name} (${purpose}), ${size} bytes, ${sha256} [${MATCHES[state]}]`,
      ),
    ),
    ...list("Proved", report.proved),
    ...list("Asserted", report.asserted),
    ...list("Not proved", report.not_proved),
  ].join("\n");
}
