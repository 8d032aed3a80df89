import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";

/** The PATH for examples that are run as they are printed: where there is no curl, a small one takes its place. */
export function pathWithCurl(): string {
  return `${process.env.PATH}${delimiter}${join(import.meta.dirname, "curl")}`;
}

/** Whether this machine has a Python to run examples with. Says so if not, because their tests are then left out. */
export function hasPython(): boolean {
  const found = spawnSync("python3", ["--version"]).status === 0;
  if (!found) console.log("There is no python3 here: the examples in Python are not run.");
  return found;
}
