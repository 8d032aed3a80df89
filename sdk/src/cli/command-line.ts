import { parseArgs } from "node:util";
import { COMMANDS } from "../generated/commands.ts";
import { CALL_OPTIONS, type Command, GLOBAL_OPTIONS, optionsOf, textOf, UsageError } from "./command.ts";
import { completion, completionsOf } from "./completion.ts";
import { logWatch, verify } from "./evidence.ts";
import { exitCodeOf, report } from "./failure.ts";
import { filesGet, filesList, filesPut } from "./files.ts";
import { exampleOf, helpOfCommand, helpOfGroup, helpOfSpecial, helpOverall } from "./help.ts";
import { register, registerCommand, verifyDomain, watch, whoami } from "./identity.ts";
import { order } from "./order.ts";
import type { Output } from "./output.ts";
import { provider } from "./provider.ts";
import { runCommand } from "./run-command.ts";
import { FOR_OTHERS, refuseSecrets, requireTerminal } from "./secrets.ts";
import type { Session, Special } from "./session.ts";
import { DEFAULT_PROFILE, Settings } from "./settings.ts";
import { VERSION } from "./version.ts";

// The commands of `guildhall`. Everything that is not a call of the API is a `Special`.

const SPECIALS: readonly Special[] = [
  verifyDomain,
  whoami,
  watch,
  provider,
  order,
  verify,
  filesPut,
  filesGet,
  filesList,
  logWatch,
  completion,
];
const calls = (): readonly Command[] => [registerCommand(), ...COMMANDS];

type Found = { special: Special } | { command: Command };

/** The command that these words begin with: the longest name that fits. */
function find(words: readonly string[]): Found | undefined {
  const fits = ({ name }: { name: readonly string[] }) => name.every((part, at) => part === words[at]);
  const special = SPECIALS.find(fits);
  if (special) return { special };
  const command = calls()
    .filter(fits)
    .sort((one, other) => other.name.length - one.name.length)[0];
  return command && { command };
}

/** Where a command line runs. */
export type Surroundings = { output: Output; env: Session["env"]; signal: AbortSignal };

/** Runs one command line, and reports its failure. @returns the exit code */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { output } = surroundings;
  if (args[0] === "__complete") {
    for (const each of completionsOf(args.slice(1), SPECIALS, calls())) output.line(each);
    return 0;
  }
  try {
    return (await run(args, surroundings)) ?? 0;
  } catch (error) {
    report(output, error);
    return exitCodeOf(error);
  }
}

/** Options that every command has may also come before its name: here they come after it. */
function commandFirst(args: readonly string[]): readonly string[] {
  const { tokens } = parseArgs({ args: [...args], options: GLOBAL_OPTIONS, strict: false, tokens: true });
  const at = tokens.find(({ kind }) => kind === "positional")?.index ?? 0;
  const words = args.slice(at);
  const end = words.indexOf("--");
  words.splice(end === -1 ? words.length : end, 0, ...args.slice(0, at));
  return words;
}

async function run(given: readonly string[], surroundings: Surroundings): Promise<number | undefined> {
  const { output, env, signal } = surroundings;
  const args = commandFirst(given);
  const end = args.indexOf("--");
  refuseSecrets(end === -1 ? args : args.slice(0, end));
  if (args.length === 0 || args[0] === "--help" || args[0] === "-h" || args[0] === "help") {
    output.line(helpOverall([...[registerCommand()].map(shown), ...SPECIALS.map(shownSpecial)], COMMANDS.map(shown)));
    return args.length === 0 ? 2 : 0;
  }
  if (args[0] === "--version") {
    output.line(VERSION);
    return 0;
  }
  const found = find(args);
  if (!found) return groupHelp(args, output);
  const { name } = "special" in found ? found.special : found.command;
  const options = "special" in found ? specialOptions(found.special) : callOptions(found.command);
  const { values, positionals } = parse(args.slice(name.length), options);
  if (values.help === true) {
    output.line("special" in found ? helpOfSpecial(found.special) : helpOfCommand(found.command));
    return 0;
  }
  const showSecret = values["show-secret"] === true;
  if (showSecret) requireTerminal(output.isTerminal);
  const settings = new Settings(
    env,
    textOf(values.profile) ?? (env.GUILDHALL_PROFILE || DEFAULT_PROFILE),
    textOf(values["base-url"]),
  );
  const session: Session = { settings, output, positionals, showSecret, flags: values, env, signal };
  if ("special" in found) return found.special.run(session);
  return found.command.name[0] === "register" ? register(session) : runCommand(found.command, session);
}

/** Every command by its name, with the examples of its help. */
export function helpOf(): { name: string; examples: readonly string[] }[] {
  return [
    ...SPECIALS.map(({ name, examples }) => ({ name: name.join(" "), examples })),
    ...calls().map((command) => ({ name: command.name.join(" "), examples: [exampleOf(command)] })),
  ];
}

const shown = (command: Command) => ({ ...command, example: exampleOf(command) });
const shownSpecial = ({ name, about, examples }: Special) => ({ name, about, example: examples[0] ?? "" });

function groupHelp(args: readonly string[], output: Output): number {
  const [group = ""] = args;
  const found = [...SPECIALS.map(shownSpecial), ...COMMANDS.map(shown)].filter(({ name }) => name[0] === group);
  if (found.length === 0) throw new UsageError(`There is no command ${JSON.stringify(group)}.`);
  const [, next] = args;
  if (next !== undefined && !next.startsWith("-"))
    throw new UsageError(`There is no command ${JSON.stringify(`${group} ${next}`)}.`);
  output.line(helpOfGroup(group, found));
  return args.includes("--help") || args.includes("-h") ? 0 : 2;
}

const callOptions = (command: Command) => ({
  ...optionsOf(command),
  input: CALL_OPTIONS.input,
  ...(command.list === undefined ? {} : { all: CALL_OPTIONS.all }),
  ...(FOR_OTHERS.includes(command.call.join(".")) ? { as: CALL_OPTIONS.as } : {}),
});

const specialOptions = ({ options = {} }: Special): Options =>
  Object.fromEntries(
    Object.entries(options).map(([name, { value, multiple = false }]) => [
      name,
      { type: value === undefined ? "boolean" : "string", multiple },
    ]),
  );

type Options = Record<string, { type: "string" | "boolean"; multiple?: boolean }>;

/** @throws UsageError */
function parse(args: readonly string[], options: Options) {
  try {
    const all = { ...options, ...GLOBAL_OPTIONS };
    const { values, positionals } = parseArgs({ args: [...args], options: all, allowPositionals: true, strict: true });
    return { values: values as Session["flags"], positionals };
  } catch (error) {
    // The messages of parseArgs are written for people.
    throw new UsageError((error as Error).message);
  }
}
