import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { UsageError } from "./command.ts";

/** The most that a result may have, in characters; a program that prints more is stopped. */
const MOST_CHARACTERS = 50_000;

/** The variables of Guildhall that the program gets: where the files are. */
const FOLDERS = ["GUILDHALL_FILES_IN", "GUILDHALL_FILES_OUT"];

/** `isTemporary`: the work was not begun, and may be tried again. */
export type Work = { result: string; files?: string[] } | { failure: string; isTemporary?: boolean };

/** The work whose result is this text. @param nothing what is wrong if there is none */
export function workOf(text: string, nothing: string): Work {
  const result = text.trim();
  if ([...result].length > MOST_CHARACTERS)
    return { failure: `the result has more than ${MOST_CHARACTERS} characters` };
  return result === "" ? { failure: nothing } : { result };
}

type Env = Record<string, string | undefined>;

/** One word with spaces is a command for the shell. */
const isForShell = ([program = "", ...args]: readonly string[]) => args.length === 0 && /\s/.test(program);

/** @throws UsageError if the program is not there or may not be run: better now than after a task has been claimed */
export function requireProgram(words: readonly string[], env: Env): void {
  const [program = ""] = words;
  if (isForShell(words)) {
    const [first = ""] = program.trim().split(/\s/);
    // What the shell makes of anything but a plain name or path, only it knows.
    if (process.platform === "win32" || !/^[\w./+-]+$/.test(first)) return;
    const { status } = spawnSync(`command -v '${first}'`, {
      shell: true,
      env: env as NodeJS.ProcessEnv,
      stdio: "ignore",
    });
    if (status !== 0) throw notFound(first);
    return;
  }
  const endings = process.platform === "win32" ? ["", ".exe", ".com"] : [""];
  const folders = /[/\\]/.test(program) ? [""] : (env.PATH ?? "/usr/bin:/bin").split(delimiter);
  const files = folders
    .flatMap((folder) => endings.map((ending) => join(folder, program + ending)))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  if (files.some(mayRun)) return;
  if (files.length === 0) throw notFound(program);
  throw new UsageError(
    `${program} may not be run. Make it executable (chmod +x ${program}), or name the program that runs it.`,
  );
}

const notFound = (program: string) =>
  new UsageError(
    `There is no program ${JSON.stringify(program)}. Give the path of one after --, such as -- ./work.sh.`,
  );

function mayRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs the provider's program for one task: the task as JSON on its standard input, the result from its standard output. The program
 * gets no variable of Guildhall but for the folders of its files, so it has no secret to give away.
 */
export function runWork(words: readonly string[], task: object, env: Env, signal: AbortSignal): Promise<Work> {
  const own = Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("GUILDHALL_") || FOLDERS.includes(name)),
  ) as NodeJS.ProcessEnv;
  const [program = "", ...args] = words;
  const shell = isForShell(words);
  return new Promise((done, fail) => {
    // Stopped, it ends at once: what it has done so far is done again after a restart.
    const child = spawn(program, args, {
      env: own,
      shell,
      signal,
      killSignal: "SIGKILL",
      stdio: ["pipe", "pipe", "inherit"],
    });
    let result = "";
    let isTooLong = false;
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (chunk: string) => {
      result += chunk;
      if (result.length <= MOST_CHARACTERS * 2 || isTooLong) return;
      isTooLong = true;
      child.kill("SIGKILL");
    });
    child.on("error", (error) => (signal.aborted ? fail(signal.reason) : done({ failure: error.message })));
    child.on("close", (code, killed) => {
      if (signal.aborted) fail(signal.reason);
      else if (isTooLong) done({ failure: `it printed more than ${MOST_CHARACTERS} characters` });
      else if (code !== 0) done({ failure: killed ? `it was ended by ${killed}` : `it exited with ${code}` });
      else done(workOf(result, "it printed nothing"));
    });
    // A program that does not read its input is no error.
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(task));
  });
}
