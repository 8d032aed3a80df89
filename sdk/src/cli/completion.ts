import { type Command, flagsOf, UsageError } from "./command.ts";
import type { Special } from "./session.ts";
import { GUILDHALL } from "./started-as.ts";

const SCRIPTS: Record<string, string> = {
  bash: `_guildhall() {
  COMPREPLY=($(guildhall __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _guildhall guildhall`,
  zsh: `#compdef guildhall
_guildhall() {
  local -a found
  found=(\${(f)"$(guildhall __complete "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _guildhall guildhall`,
  fish: `function __guildhall_complete
  set -l words (commandline -opc) (commandline -ct)
  guildhall __complete $words[2..-1] 2>/dev/null
end
complete -c guildhall -a '(__guildhall_complete)'`,
};

export const completion: Special = {
  name: ["completion"],
  about: "Print the completion script of a shell",
  usage: "bash|zsh|fish",
  examples: [`eval "$(${GUILDHALL} completion bash)"`, `${GUILDHALL} completion fish > guildhall.fish`],
  async run({ positionals, output }) {
    const [shell = ""] = positionals;
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined) throw new UsageError("Which shell? bash, zsh or fish.");
    output.line(script);
    return undefined;
  },
};

type Known = { name: readonly string[]; flags: readonly string[] };

const GLOBAL = ["--json", "--profile", "--base-url", "--help"];

/** What may stand in the place of the last word. */
export function completionsOf(
  words: readonly string[],
  specials: readonly Special[],
  commands: readonly Command[],
): string[] {
  const known: Known[] = [
    ...specials.map(({ name, options = {} }) => ({ name, flags: Object.keys(options) })),
    ...commands.map(({ name, fields, list }) => ({
      name,
      flags: [...fields.flatMap(flagsOf), "input", ...(list === undefined ? [] : ["all"])],
    })),
  ];
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1).filter((word) => !word.startsWith("-"));
  const names = known
    .filter(({ name }) => name.length > before.length && before.every((word, at) => word === name[at]))
    .map(({ name }) => name[before.length] ?? "");
  const command = known
    .filter(({ name }) => name.every((part, at) => part === before[at]))
    .sort((one, other) => other.name.length - one.name.length)[0];
  const flags = command && last.startsWith("-") ? [...command.flags.map((flag) => `--${flag}`), ...GLOBAL] : [];
  return [...new Set([...(last.startsWith("-") ? [] : names), ...flags])]
    .filter((each) => each.startsWith(last))
    .sort();
}
