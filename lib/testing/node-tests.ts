import { join, relative, resolve } from "node:path";
import { run } from "node:test";
import type { Estimate } from "./progress.ts";
import type { Result } from "./stages.ts";

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

/** Runs test files with Node's test runner, in groups. A skipped test counts as failed: nothing is left out silently. */
export async function nodeTests(
  files: readonly string[],
  { workers, estimate, onFile }: { workers: number; estimate: Estimate; onFile: (file: string, ms: number) => void },
): Promise<Result> {
  const groups = groupFiles(files, (file) => estimate.expectedMs(file));
  const result: Result = { passed: 0, failed: 0, output: "" };
  const worker = async () => {
    for (let group = groups.shift(); group; group = groups.shift()) {
      const { passed, failed, output } = await runGroup(group, onFile);
      result.passed += passed;
      result.failed += failed;
      result.output += output;
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return result;
}

/** Runs the files of a group in one process. */
async function runGroup(group: string[], onFile: (file: string, ms: number) => void): Promise<Result> {
  const argv = group.map((file) => join(ROOT, file));
  const failures: string[] = [];
  const stray: string[] = [];
  let [passed, leftOut, errors, success] = [0, 0, "", false];
  for await (const { type, data } of run({ files: [SHARE_PROCESS], argv, timeout: TIMEOUT_MS, cwd: ROOT })) {
    if (type === "test:stderr") errors = `${errors}${data.message}`.slice(-4_000);
    // What fails when no test runs any more is told of in this way, and by the process's exit code.
    if (type === "test:diagnostic" && /^(Error|Warning): /.test(data.message)) stray.push(data.message);
    if (type === "test:complete" && data.nesting === 0 && group.includes(data.name))
      onFile(data.name, data.details.duration_ms);
    if (type === "test:summary" && !data.file) {
      ({ success } = data);
      passed = data.counts.passed;
      leftOut = data.counts.skipped + data.counts.todo;
    }
    // A test whose subtests failed says nothing more; nor does the process.
    if (type !== "test:fail" || data.details.error.failureType === "subtestsFailed") continue;
    const { file = "", line, name } = data;
    if (name === SHARE_PROCESS) continue;
    const { cause, message } = data.details.error as Error & { cause?: unknown };
    const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? message);
    const printed = errors ? `\nstandard error of the process so far:\n${errors}` : "";
    failures.push(`✖ ${name}\n  ${relative(ROOT, file)}:${line}\n${reason}${printed}\n\n`);
  }
  if (!success && (stray.length > 0 || failures.length === 0))
    failures.push(`✖ ${group.join(", ")}\n${stray.join("\n") || "The process failed."}\n${errors}\n\n`);
  if (leftOut > 0) failures.push(`✖ ${group.join(", ")}\n${leftOut} skipped\n\n`);
  return { passed, failed: failures.length, output: failures.join("") };
}
