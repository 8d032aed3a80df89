import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";

const ROOT = resolve(import.meta.dirname, "../..");

/** A shell in the repository's folder, as a newcomer has it open beside the browser, for one installation. */
export class Shell {
  readonly #variables: NodeJS.ProcessEnv;
  readonly #running: ChildProcess[] = [];

  constructor(dataDir: string) {
    const { DATABASE_URL, DATABASE_OWNER_URL, REDIS_URL, ...rest } = process.env;
    // npm is looked up with the Node that runs this test.
    const PATH = `${ROOT}/node_modules/.bin:${dirname(process.execPath)}:${process.env.PATH}`;
    this.#variables = { ...rest, PATH, DATA_DIR: dataDir };
  }

  /** Runs a line. @returns what it printed */
  async run(line: string, variables: Record<string, string> = {}): Promise<string> {
    const env = { ...this.#variables, ...variables };
    return (await promisify(execFile)("sh", ["-c", line], { cwd: ROOT, env })).stdout;
  }

  /** Runs a line that goes on until the shell is closed, and waits until it has said something. */
  async start(line: string, said: string): Promise<void> {
    // npm would not pass on the signal that ends it.
    const command = line.replace("npm run dev-domain --", "exec node examples/dev-domain.ts");
    const child = spawn("sh", ["-c", command], {
      cwd: ROOT,
      env: this.#variables,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#running.push(child);
    for await (const chunk of child.stdout) if (String(chunk).includes(said)) return;
    throw new Error(`${line} ended without saying "${said}".`);
  }

  async close(): Promise<void> {
    for (const child of this.#running) {
      child.kill();
      await once(child, "exit");
    }
  }
}
