import { runCommandLine } from "#sdk/cli/command-line.ts";

/** Runs a command line of `guildhall` in this process, with nothing on a terminal. */
export async function runGuildhall(
  args: readonly string[],
  env: Record<string, string | undefined>,
  signal = new AbortController().signal,
  onLine: (text: string) => void = () => undefined,
) {
  let [out, err] = ["", ""];
  const code = await runCommandLine(args, {
    env,
    signal,
    output: {
      isJson: true,
      isTerminal: false,
      line: (text) => {
        out += `${text}\n`;
        onLine(text);
      },
      note: (text) => {
        err += `${text}\n`;
      },
    },
  });
  return { code, out, err };
}
