import { parseArgs } from "node:util";
import { OPTIONS, type OptionName } from "#lib/admin/commands/command.ts";
import { commandLineContext } from "#lib/admin/context.ts";
import { closeDatabase } from "#lib/db/client.ts";
import { admitLocalDomains } from "#lib/identity/domain/probing.ts";
import { type Env, loadEnv } from "#lib/kernel/env.ts";
import { didYouMean } from "#lib/kernel/mistakes.ts";
import { findSecrets } from "#lib/kernel/secrets.ts";
import { type AnyCommand, COMMANDS, optionText, sentenceOf, usageOf } from "./commands.ts";
import { openDatabase } from "./database.ts";
import { updateDatabase } from "./update-database.ts";

/** A mistake in the arguments. `help` is printed to standard error. */
export class UsageError extends Error {
  readonly code = "invalid_input";
  readonly help: string;
  constructor(message: string, help = "") {
    super(message);
    this.help = help;
  }
}

type WithDatabase = <Answer>(env: Env, work: () => Promise<Answer>) => Promise<Answer>;

/**
 * Runs one command line of `npm run admin`.
 * @param argv what follows `npm run admin --`
 * @param withDatabase runs a command on the migrated database; tests, which have one open, give their own
 * @returns an object to be printed as JSON, or a text
 * @throws UsageError for mistakes in the arguments, and whatever the command throws
 */
export async function runCommandLine(
  argv: readonly string[],
  withDatabase: WithDatabase = onOwnConnection,
): Promise<object | string> {
  const { values, positionals } = readArguments(argv);
  const [name, ...args] = positionals;
  const command = name === undefined ? undefined : COMMANDS.get(name);
  if (values.help && command) return helpOf(name as string, command);
  if (name === "help" || (values.help && name === undefined)) return help();
  if (name === undefined) throw new UsageError("Enter a command.", help());
  if (!command) throw new UsageError(`There is no command "${name}"${didYouMean(name, COMMANDS.keys()) || "."}${LIST}`);
  const most = command.args.length + (command.optionalArgs?.length ?? 0);
  if (args.length < command.args.length || args.length > most) {
    const problem = args.length > most ? `one argument too many: ${args[most]}` : `no ${command.args[args.length]}`;
    throw new UsageError(`"${name}" has ${problem}. Usage: npm run admin -- ${usageOf(name, command)}`);
  }
  const { reason: why, as: by, ...options } = values;
  const given = new Map(
    Object.entries(options).map(([option, value]) => [option, value === true ? "" : String(value)]),
  );
  for (const option of given.keys())
    if (!command.options?.includes(option as OptionName))
      throw new UsageError(`"${name}" has no option --${option}. See npm run admin -- ${name} --help.`);
  if ("runOn" in command) return command.runOn(loadEnv(), args, given);

  const reason = String(why ?? "").trim();
  if (command.changes && !command.needsNoReason && !reason && !given.has("preview"))
    throw new UsageError(`"${name}" needs a reason, because it changes something: add --reason "…".`);
  if (findSecrets(reason).length > 0)
    throw new UsageError("--reason must not contain a token or key of this service, because it is kept permanently.");
  const env = loadEnv();
  const ctx = commandLineContext(String(by ?? "").trim() || "command line");
  return (
    command.withoutDatabase?.(given) ?? (await withDatabase(env, async () => command.run(ctx, args, reason, given)))
  );
}

async function onOwnConnection<Answer>(env: Env, work: () => Promise<Answer>): Promise<Answer> {
  admitLocalDomains(env);
  const database = await openDatabase(env);
  try {
    await database.asOwner((ownerUrl) => updateDatabase(database.url, ownerUrl));
    return await work();
  } finally {
    await closeDatabase();
    await database.close();
  }
}

function readArguments(argv: readonly string[]) {
  const own = Object.fromEntries(
    Object.entries(OPTIONS).map(([name, option]) => [
      name,
      { type: "value" in option ? ("string" as const) : ("boolean" as const) },
    ]),
  );
  const common = { reason: { type: "string" }, as: { type: "string" }, help: { type: "boolean", short: "h" } } as const;
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options: { ...own, ...common } });
  } catch (error) {
    throw new UsageError(optionProblem(error as Error & { code?: string }, argv, Object.keys({ ...own, ...common })));
  }
}

/** Node's words on an unknown option give advice that helps nobody here. */
function optionProblem({ code, message }: Error & { code?: string }, argv: readonly string[], known: string[]): string {
  const unknown = argv.find((arg) => arg.startsWith("-") && !known.includes(arg.replace(/^--|=.*/g, "")));
  if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION" || unknown === undefined) return message;
  const options = known.map((name) => `--${name}`);
  return `There is no option ${unknown}${didYouMean(unknown, options) || "."}${LIST}`;
}

const LIST = ' "npm run admin -- --help" lists all commands with their options.';

function help(): string {
  return [
    "Usage: npm run admin -- COMMAND",
    "Every command prints JSON and works with or without a running service. The audit trail keeps the --reason and the",
    'name given by --as (default "command line"). With --preview, nothing changes and the effects are printed. An act that moves money has',
    "an ID of its own: repeating it with the same --act-id changes nothing more. COMMAND --help explains its options, with an example.",
    "",
    ...[...COMMANDS].flatMap(([name, command]) => [`  ${usageOf(name, command)}`, `      ${sentenceOf(command)}`]),
  ].join("\n");
}

const REASON: [string, string] = ['--reason "…"', "Why. The audit trail keeps it."];
const AS: [string, string] = ["--as NAME", 'Who does this, for the audit trail. Default: "command line".'];

function helpOf(name: string, command: AnyCommand): string {
  const rows: [string, string][] = [
    ...(command.options ?? []).map((option): [string, string] => [optionText(option), OPTIONS[option].about]),
    ...("changes" in command && command.changes ? [REASON, AS] : []),
  ];
  const width = Math.max(...rows.map(([option]) => option.length));
  return [
    `Usage: npm run admin -- ${usageOf(name, command)}`,
    "",
    sentenceOf(command),
    "",
    ...(rows.length > 0
      ? ["Options:", ...rows.map(([option, about]) => `  ${option.padEnd(width)}  ${about}`), ""]
      : []),
    "Example:",
    `  npm run admin -- ${command.example}`,
  ].join("\n");
}
