import { join, relative, resolve } from "node:path";
import { run } from "node:test";
import { isMissing } from "../missing-program.ts";
import { type FileResult, result } from "./results.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SHARE_PROCESS = join(import.meta.dirname, "share-process.ts");

/** A process's tests may take this long. */
const TIMEOUT_MS = 1_200_000;
/**
 * So many files share a process: most of what a short one costs is loading the service and compiling it. Twelve service files took
 * 9 seconds of processor time together, and 19 in processes of their own.
 */
const MOST_FILES_PER_PROCESS = 12;

/** Runs test files with Node's test runner in so many processes at the same time. */
export async function nodeTests(
  files: readonly string[],
  workers: number,
  onFile: () => void = () => undefined,
): Promise<FileResult[]> {
  const waiting = [...files];
  const results: FileResult[] = [];
  const worker = async () => {
    while (waiting.length > 0) {
      // Fewer towards the end, so that no worker is left with many while the others have none.
      const fair = Math.ceil(waiting.length / workers);
      const taken = waiting.splice(0, Math.min(fair, MOST_FILES_PER_PROCESS));
      const some = await runProcess(taken, onFile);
      results.push(...some);
      // A process that ended too early leaves the rest to the next.
      waiting.unshift(...taken.filter((file) => some.every((each) => each.file !== file)));
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return results;
}

/**
 * Runs these files one after the other in one process. A skipped test counts as failed, unless its program is missing.
 * @returns also what failed outside all files; nothing of files that the process did not reach
 */
async function runProcess(files: string[], onFile: () => void): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const strays: string[] = [];
  // Tests are reported before the file that they are in.
  let [current, errors, success] = [result({}), "", false];
  for await (const { type, data } of run({ files: [SHARE_PROCESS], argv: files, timeout: TIMEOUT_MS, cwd: ROOT })) {
    if (type === "test:stderr") errors = `${errors}${data.message}`.slice(-4_000);
    // Failures outside tests are reported like this, and by the process's exit code.
    if (type === "test:diagnostic" && /^(Error|Warning): /.test(data.message)) strays.push(data.message);
    if (type === "test:summary" && !data.file) ({ success } = data);
    if ((type !== "test:pass" && type !== "test:fail") || data.name === SHARE_PROCESS) continue;
    const { name, nesting, details, skip } = data;
    const fail = (reason: string) =>
      current.failed.push(`✖ ${name}\n  ${relative(ROOT, data.file ?? "")}:${data.line}\n${reason}\n`);
    if (type === "test:fail") {
      const { failureType, cause, message } = data.details.error as Error & { failureType?: string; cause?: unknown };
      const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? message);
      // A test whose subtests failed adds nothing.
      if (failureType !== "subtestsFailed")
        fail(errors ? `${reason}\nstandard error of the process so far:\n${errors}` : reason);
    } else if (isMissing(skip)) current.notRun.push(`${name} (${skip})`);
    else if (skip !== undefined || data.todo !== undefined) fail("skipped");
    else if (details.type !== "suite") current.passed += 1;
    if (nesting !== 0 || !files.includes(name)) continue;
    results.push({ ...current, file: name });
    current = result({});
    onFile();
  }
  const ended = `${strays.join("\n") || "The process failed."}\n${errors}\n`;
  // Without its end, a file has failed, whatever its tests said.
  const unfinished = files[results.length];
  if (unfinished) {
    results.push(result({ file: unfinished, failed: [...current.failed, `✖ ${unfinished}\n${ended}`] }));
    onFile();
  }
  if (strays.length > 0 || (!success && results.every(({ failed }) => failed.length === 0)))
    results.push(result({ failed: [`✖ ${files.join(", ")}\n${ended}`] }));
  return results;
}
