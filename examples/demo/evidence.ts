import { readFileSync, writeFileSync } from "node:fs";
import type { Report } from "#sdk/verify/report.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import type { Agent } from "./agents.ts";
import type { FileOrder } from "./file-order.ts";
import type { Narrator } from "./narrator.ts";

/** A key that was read before anything happened, and the file that it proves. */
export type Proof = { key: string; file: string };

/** The log's key, as everyone should read it: early, and kept. Undefined if the service does not sign its log. */
export async function readLogKey(baseUrl: string): Promise<string | undefined> {
  const response = await fetch(`${baseUrl}/log/key`, { signal: AbortSignal.timeout(30_000) });
  const text = await response.text();
  return response.ok ? text.trim() : undefined;
}

/**
 * Saves the evidence of a task, verifies the file without the service, and shows that one changed byte is caught.
 * @throws Error if the file does not verify, or a changed one does
 */
export async function proveTask(
  { client }: Agent,
  taskId: string,
  { key, file }: Proof,
  narrate: ReturnType<Narrator["as"]>,
): Promise<void> {
  const { bundle } = await narrate(
    "saves the task's evidence",
    client.evidence.prove(taskId, { key }),
    ({ report }) => `${report.statements.length} entries, each with a proof`,
  );
  writeFileSync(file, JSON.stringify(bundle, null, 2));
  const text = readFileSync(file, "utf8");
  await narrate(
    "verifies the file, offline",
    verdictOf(text, key, "proved"),
    "proved, with the key that was read at the start",
  );
  const at = text.indexOf('"gross_pence": ') + '"gross_pence": '.length;
  const changed = `${text.slice(0, at)}${text[at] === "1" ? "2" : "1"}${text.slice(at + 1)}`;
  await narrate("changes one byte of an amount", verdictOf(changed, key, "broken"), (problem) => `caught: ${problem}`);
}

/** Compares the files on disk with a task's evidence. @throws Error unless they are those that the log names */
export async function proveFiles(
  { client }: Agent,
  { taskId, files }: FileOrder,
  key: string,
  narrate: ReturnType<Narrator["as"]>,
): Promise<void> {
  const { bundle } = await client.evidence.prove(taskId, { key });
  const matching = ({ files: found }: Report) => found.filter(({ state }) => state === "matches");
  const report = await narrate(
    "verifies both files on its disk",
    verifyEvidence(bundle, { key, files }),
    (made) =>
      `${made.verdict}: ${matching(made)
        .map(({ name }) => name)
        .join(", ")}`,
  );
  if (report.verdict !== "proved" || matching(report).length !== Object.keys(files).length)
    throw new Error(`The files should be those in the evidence: ${[report.summary, ...report.problems].join(" ")}`);
}

/** The first problem, if there is one. @throws Error unless the file has this verdict */
async function verdictOf(text: string, key: string, expected: "proved" | "broken"): Promise<string> {
  const { verdict, summary, problems } = await verifyEvidence(text, { key });
  if (verdict === expected) return problems[0] ?? summary;
  throw new Error(`The evidence should be ${expected}: ${[summary, ...problems].join(" ")}`);
}
