import { join, relative, resolve } from "node:path";
import { run } from "node:test";
import type { FileResult } from "./attempts.ts";
import type { Estimate } from "./progress.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SHARE_PROCESS = join(import.meta.dirname, "share-process.ts");

/** A process's tests may take this long. */
const TIMEOUT_MS = 1_200_000;
/** Files share a process as long as they are expected to take no longer than this together. Longer groups would end unevenly. */
const GROUP_MS = 20_000;

/**
 * Distributes files over groups, each for one process. Most of what a short file costs is loading the service and compiling it,
 * which the files of a group do once.
 * @returns the groups, the longest first, so that workers who take one after the other finish at about the same time
 */
export function groupFiles(files: readonly string[], expectedMs: (file: string) => number): string[][] {
  const groups: { files: string[]; ms: number }[] = [];
  const longestFirst = files.toSorted((one, other) => expectedMs(other) - expectedMs(one));
  for (const file of longestFirst) {
    const ms = expectedMs(file);
    const group = groups.find((each) => each.ms + ms <= GROUP_MS);
    if (group) {
      group.files.push(file);
      group.ms += ms;
    } else groups.push({ files: [file], ms });
  }
  return groups.toSorted((one, other) => other.ms - one.ms).map((group) => group.files);
}

type Options = { workers: number; estimate: Estimate; onFile: (file: string, ms: number) => void };

/**
 * Runs test files with Node's test runner, in groups, or with `alone` one after the other in a process each. A skipped test counts as
 * failed: nothing is left out silently.
 */
export async function nodeTests(
  files: readonly string[],
  { workers, estimate, onFile }: Options,
  { alone = false } = {},
): Promise<FileResult[]> {
  const groups = alone ? files.map((file) => [file]) : groupFiles(files, (file) => estimate.expectedMs(file));
  const results: FileResult[] = [];
  const worker = async () => {
    for (let group = groups.shift(); group; group = groups.shift()) results.push(...(await runGroup(group, onFile)));
  };
  await Promise.all(Array.from({ length: alone ? 1 : workers }, worker));
  return results;
}

/** Runs the files of a group in one process. */
async function runGroup(group: string[], onFile: (file: string, ms: number) => void): Promise<FileResult[]> {
  const argv = group.map((file) => join(ROOT, file));
  const results: FileResult[] = [];
  const stray: string[] = [];
  // Tests are reported before the file that they are in.
  let [current, errors, success]: [Omit<FileResult, "file">, string, boolean] = [{ passed: [], failed: [] }, "", false];
  for await (const { type, data } of run({ files: [SHARE_PROCESS], argv, timeout: TIMEOUT_MS, cwd: ROOT })) {
    if (type === "test:stderr") errors = `${errors}${data.message}`.slice(-4_000);
    // What fails when no test runs any more is told of in this way, and by the process's exit code.
    if (type === "test:diagnostic" && /^(Error|Warning): /.test(data.message)) stray.push(data.message);
    if (type === "test:summary" && !data.file) ({ success } = data);
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { name, nesting, details } = data;
    if (name === SHARE_PROCESS) continue;
    const isTest = details.type !== "suite";
    if (type === "test:fail") {
      const { failureType, cause, message } = data.details.error as Error & { failureType?: string; cause?: unknown };
      // A test whose subtests failed says nothing more.
      if (failureType !== "subtestsFailed") {
        const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? message);
        const printed = errors ? `\nstandard error of the process so far:\n${errors}` : "";
        const report = `✖ ${name}\n  ${relative(ROOT, data.file ?? "")}:${data.line}\n${reason}${printed}\n\n`;
        current.failed.push({ test: isTest ? name : undefined, report });
      }
    } else if (data.skip !== undefined || data.todo !== undefined) {
      current.failed.push({ test: name, report: `✖ ${name}\n  ${relative(ROOT, data.file ?? "")}: skipped\n\n` });
    } else if (isTest) current.passed.push(name);
    if (nesting !== 0 || !group.includes(name)) continue;
    results.push({ file: name, ...current });
    current = { passed: [], failed: [] };
    onFile(name, details.duration_ms);
  }
  const ended = `${stray.join("\n") || "The process failed."}\n${errors}\n\n`;
  const fail = (file: string | undefined) => ({ test: undefined, report: `✖ ${file ?? group.join(", ")}\n${ended}` });
  // Without its end, a file has failed, whatever its tests said.
  for (const file of group.filter((each) => results.every((result) => result.file !== each)))
    results.push({ file, passed: [], failed: [...current.failed.splice(0), fail(file)] });
  if (stray.length > 0 || (!success && results.every(({ failed }) => failed.length === 0)))
    results.push({ file: undefined, passed: [], failed: [fail(undefined)] });
  return results;
}
