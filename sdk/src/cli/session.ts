import type { Output } from "./output.ts";
import type { Settings } from "./settings.ts";

/** What every command gets. */
export type Session = {
  settings: Settings;
  output: Output;
  env: Record<string, string | undefined>;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  signal: AbortSignal;
  /** What follows the command's name, and what follows `--`. */
  positionals: string[];
  flags: Record<string, string | boolean | (string | boolean)[] | undefined>;
  showSecret: boolean;
};

/** A command that is more than one call. @returns the exit code; nothing for 0 */
export type Special = {
  name: readonly string[];
  about: string;
  more?: string;
  /** How it is called, after its name. */
  usage?: string;
  /** Flags; `value` names what one takes, and may be repeated if it is `multiple`. */
  options?: Record<string, { multiple?: boolean; about: string; value?: string }>;
  examples: readonly string[];
  run(session: Session): Promise<number | undefined>;
};

/** Everything on standard input, without line ends after it. */
export async function readStandardInput(): Promise<string> {
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  return text.trimEnd();
}
