import { parseArgs } from "node:util";
import { OWN_COMMANDS } from "#lib/boot/commands.ts";
import { openDatabase } from "#lib/boot/database.ts";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { generateClient } from "#lib/db/generate.ts";
import { admitDemo } from "#lib/identity/domain/probing.ts";
import { loadEnv } from "#lib/kernel/env.ts";

// `npm run admin -- COMMAND …`: works with or without a running service, prints JSON, and exits with 1 on an error.
process.chdir(import.meta.dirname);
Object.assign(process.env, { NODE_ENV: "production" });

async function main(): Promise<object | string> {
  const { values, positionals } = readArguments();
  const env = loadEnv();
  admitDemo(env);
  await generateClient();
  const { COMMANDS: ADMINISTRATION } = await import("#lib/admin/commands.ts");
  const { API_COMMANDS } = await import("#lib/api/commands.ts");
  const COMMANDS: typeof API_COMMANDS = { ...ADMINISTRATION, ...API_COMMANDS };
  const [name = "", ...args] = positionals;
  const listed: Listed = { ...COMMANDS, ...OWN_COMMANDS };
  const command = Object.hasOwn(listed, name) ? listed[name] : undefined;
  if (values.help) return usage(listed);
  if (!command) throw new Usage(name ? `Unknown command "${name}".` : "Enter a command.", usage(listed));
  const most = command.args.length + (command.optionalArgs?.length ?? 0);
  if (args.length < command.args.length || args.length > most)
    throw new Usage(`Usage: npm run admin -- ${line(name, command)}`);
  const { reason: why, as: by, ...options } = values;
  const given = new Map(
    Object.entries(options).map(([option, value]) => [option, value === true ? "" : String(value)]),
  );
  for (const option of given.keys())
    if (!optionsOf(command).includes(option)) throw new Usage(`"${name}" has no option --${option}.`);
  const own = OWN_COMMANDS[name];
  if (own) return own.run(env, args, given);
  const reason = why?.trim() ?? "";
  if (command.changes && !command.needsNoReason && !reason && !given.has("preview"))
    throw new Usage(`"${name}" needs a reason, because it changes something: add --reason "…".`);
  const { findSecrets } = await import("#lib/kernel/secrets.ts");
  if (findSecrets(reason).length > 0)
    throw new Usage("--reason must not contain a token or key of this service, because it is kept permanently.");

  const answer = COMMANDS[name]?.withoutDatabase?.(given);
  if (answer) return answer;
  const database = await openDatabase(env);
  try {
    await database.asOwner((ownerUrl) => updateDatabase(database.url, ownerUrl));
    const { commandLineContext } = await import("#lib/admin/context.ts");
    return await (COMMANDS[name] as (typeof COMMANDS)[string]).run(
      commandLineContext(by?.trim() || "command line"),
      args,
      reason,
      given,
    );
  } finally {
    const { closeDatabase } = await import("#lib/db/client.ts");
    await closeDatabase();
    await database.close();
  }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        as: { type: "string" },
        reason: { type: "string" },
        complete: { type: "boolean" },
        refund: { type: "boolean" },
        preview: { type: "boolean" },
        pence: { type: "string" },
        "provider-pence": { type: "string" },
        "act-id": { type: "string" },
        new: { type: "boolean" },
        profiles: { type: "boolean" },
        origin: { type: "string" },
        to: { type: "string" },
        "continue-log": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new Usage((error as Error).message);
  }
}

/** A mistake in the arguments. `help` is printed to standard error. */
class Usage extends Error {
  readonly code = "invalid_input";
  readonly help: string;
  constructor(message: string, help = "") {
    super(message);
    this.help = help;
  }
}

type Listed = Record<
  string,
  {
    args: string[];
    optionalArgs?: string[];
    flags?: string[];
    options?: Record<string, string>;
    preview?: boolean;
    summary: string;
    changes: boolean;
    needsNoReason?: boolean;
  }
>;

const optionsOf = ({ flags = [], options = {}, preview }: Pick<Listed[string], "flags" | "options" | "preview">) => [
  ...[...flags, ...Object.keys(options)],
  ...(preview ? ["preview"] : []),
];

function line(name: string, command: Listed[string]): string {
  const { args, optionalArgs = [], options = {}, changes, needsNoReason } = command;
  const reason = needsNoReason ? '[--reason "…"]' : '--reason "…"';
  return [
    name,
    ...args,
    ...optionalArgs.map((arg) => `[${arg}]`),
    ...optionsOf(command).map((option) => `[--${[option, options[option]].join(" ").trim()}]`),
    changes ? `${reason} [--as NAME]` : "",
  ]
    .join(" ")
    .trim();
}

function usage(commands: Listed): string {
  const lines = Object.entries(commands).map(([name, command]) => `  ${line(name, command)}\n      ${command.summary}`);
  const options = [
    "Every command prints JSON and works with or without a running service. The audit trail keeps the --reason and the",
    'name given by --as (default "command line"). With --preview, nothing changes and the effects are printed. An act that moves money has',
    "an ID of its own: repeating it with the same --act-id changes nothing more.",
  ];
  return ["Usage: npm run admin -- COMMAND", ...options, "", ...lines].join("\n");
}

try {
  const answer = await main();
  console.log(typeof answer === "string" ? answer : JSON.stringify({ ok: true, ...answer }, null, 2));
  // A command that looks for faults has found some.
  if (typeof answer === "object" && "ok" in answer && !answer.ok) process.exitCode = 1;
} catch (error) {
  const { code = "failed", message } = error as { code?: string; message: string };
  if (error instanceof Usage) console.error([message, error.help].filter(Boolean).join("\n"));
  console.log(JSON.stringify({ ok: false, error: { code, message } }, null, 2));
  process.exitCode = 1;
}
