import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join, relative, resolve } from "node:path";
import { run } from "node:test";
import type { FileResult } from "./attempts.ts";
import type { Estimate } from "./progress.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const SHARE_PROCESS = join(import.meta.dirname, "share-process.ts");

/** A process's tests may take this long. */
const TIMEOUT_MS = 1_200_000;
/** A process takes no further file after this time: what one of its files has spoilt, if any, then ends with it. */
const SHARE_MS = 100_000;

type Options = { workers: number; estimate: Estimate; onFile: (file: string, ms: number) => void };

/**
 * Runs test files with Node's test runner. Each worker is a process that takes file after file, the longest first, so that all end at
 * about the same time: most of what a short file costs is loading the service and compiling it. With `alone`, one file after the other
 * has a process to itself. A skipped test counts as failed: nothing is left out silently.
 */
export async function nodeTests(
  files: readonly string[],
  { workers, estimate, onFile }: Options,
  { alone = false } = {},
): Promise<FileResult[]> {
  const waiting = files.toSorted((one, other) => estimate.expectedMs(other) - estimate.expectedMs(one));
  const results: FileResult[] = [];
  const worker = async () => {
    while (waiting.length > 0) {
      const until = performance.now() + (alone ? 0 : SHARE_MS);
      let isFirst = true;
      const take = () => {
        if (!isFirst && performance.now() >= until) return undefined;
        isFirst = false;
        return waiting.shift();
      };
      results.push(...(await runProcess(take, onFile)));
    }
  };
  await Promise.all(Array.from({ length: alone ? 1 : workers }, worker));
  return results;
}

/** Answers every connection with what `take` gives: the file that a process runs next. */
async function distribute(take: () => string | undefined): Promise<{ port: number; close(): void }> {
  const server = createServer((socket) => {
    const file = take();
    socket.on("error", () => undefined).end(file === undefined ? "" : join(ROOT, file));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/** Runs the files that `take` gives in one process. */
async function runProcess(take: () => string | undefined, onFile: Options["onFile"]): Promise<FileResult[]> {
  const taken: string[] = [];
  const files = await distribute(() => {
    const file = take();
    if (file !== undefined) taken.push(file);
    return file;
  });
  const argv = [String(files.port)];
  const results: FileResult[] = [];
  const stray: string[] = [];
  // Tests are reported before the file that they are in.
  let [current, errors, success]: [Omit<FileResult, "file">, string, boolean] = [{ passed: [], failed: [] }, "", false];
  const options = { files: [SHARE_PROCESS], argv, timeout: TIMEOUT_MS, cwd: ROOT };
  for await (const { type, data } of run(options)) {
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
    if (nesting !== 0 || !taken.includes(name)) continue;
    results.push({ file: name, ...current });
    current = { passed: [], failed: [] };
    onFile(name, details.duration_ms);
  }
  files.close();
  // A process that asked for nothing could not even begin: the next would not either.
  if (taken.length === 0 && !success) taken.push(...[take() ?? []].flat());
  const ended = `${stray.join("\n") || "The process failed."}\n${errors}\n\n`;
  const fail = (file: string | undefined) => ({ test: undefined, report: `✖ ${file ?? taken.join(", ")}\n${ended}` });
  // Without its end, a file has failed, whatever its tests said.
  for (const file of taken.filter((each) => results.every((result) => result.file !== each)))
    results.push({ file, passed: [], failed: [...current.failed.splice(0), fail(file)] });
  if (stray.length > 0 || (!success && results.every(({ failed }) => failed.length === 0)))
    results.push({ file: undefined, passed: [], failed: [fail(undefined)] });
  return results;
}
