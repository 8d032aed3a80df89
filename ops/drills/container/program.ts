import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

/** Runs a program to its end. @returns what it printed @throws Error with the last lines of that */
export async function run(program: string, args: string[], options: { seconds?: number } = {}): Promise<string> {
  const { seconds = 60 } = options;
  try {
    const limits = { timeout: seconds * 1000, killSignal: "SIGKILL", maxBuffer: 2 ** 26 } as const;
    return (await promisify(execFile)(program, args, limits)).stdout.trim();
  } catch (error) {
    const { stdout = "", stderr = "", killed } = error as { stdout?: string; stderr?: string; killed?: boolean };
    const lines = `${stdout}${stderr}`.trim().split("\n").slice(-20).join("\n");
    const outcome = killed ? `took more than ${seconds} seconds` : "failed";
    throw new Error(`${program} ${args.join(" ")} ${outcome}:\n${lines}`);
  }
}

/** Waits until `isSo`. @returns the seconds that it took @throws Error when it takes longer than `seconds` */
export async function until(what: string, seconds: number, isSo: () => Promise<boolean> | boolean): Promise<number> {
  const began = performance.now();
  const passed = () => (performance.now() - began) / 1000;
  while (!(await isSo())) {
    if (passed() > seconds) throw new Error(`After ${seconds} seconds: not yet that ${what}.`);
    await delay(100);
  }
  return passed();
}

export const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

export const step = (text: string) => console.log(`- ${text}`);
