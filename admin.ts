import { parseArgs } from "node:util";
import { openDatabase } from "#lib/boot/database.ts";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { generateClient } from "#lib/db/generate.ts";
import { admitDemo } from "#lib/identity/probing.ts";
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
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (values.help) return usage(COMMANDS);
  if (!command) throw new Usage(name ? `Unknown command "${name}".` : "Enter a command.", usage(COMMANDS));
  const most = command.args.length + (command.optionalArgs?.length ?? 0);
  if (args.length < command.args.length || args.length > most)
    throw new Usage(`Usage: npm run admin -- ${line(name, command)}`);
  const flags = new Set(values.complete ? ["complete"] : []);
  for (const flag of flags) if (!command.flags?.includes(flag)) throw new Usage(`"${name}" has no option --${flag}.`);
  const reason = values.reason?.trim() ?? "";
  if (command.changes && !command.needsNoReason && !reason)
    throw new Usage(`"${name}" needs a reason, because it changes something: add --reason "…".`);
  const { findSecrets } = await import("#lib/kernel/secrets.ts");
  if (findSecrets(reason).length > 0)
    throw new Usage("--reason must not contain a token or key of this service, because it is kept permanently.");

  const database = await openDatabase(env);
  try {
    await database.asOwner((ownerUrl) => updateDatabase(database.url, ownerUrl));
    const { commandLineContext } = await import("#lib/admin/context.ts");
    return await command.run(commandLineContext(values.as?.trim() || "command line"), args, reason, flags);
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
    summary: string;
    changes: boolean;
    needsNoReason?: boolean;
  }
>;

function line(name: string, { args, optionalArgs = [], flags = [], changes, needsNoReason }: Listed[string]): string {
  const reason = needsNoReason ? '[--reason "…"]' : '--reason "…"';
  return [
    name,
    ...args,
    ...optionalArgs.map((arg) => `[${arg}]`),
    ...flags.map((flag) => `[--${flag}]`),
    changes ? `${reason} [--as NAME]` : "",
  ]
    .join(" ")
    .trim();
}

function usage(commands: Listed): string {
  const lines = Object.entries(commands).map(([name, command]) => `  ${line(name, command)}\n      ${command.summary}`);
  const options = [
    "Every command prints JSON and works with or without a running service. The audit trail keeps the --reason and the",
    'name given by --as (default "command line").',
  ];
  return ["Usage: npm run admin -- COMMAND", ...options, "", ...lines].join("\n");
}

try {
  const answer = await main();
  console.log(typeof answer === "string" ? answer : JSON.stringify({ ok: true, ...answer }, null, 2));
} catch (error) {
  const { code = "failed", message } = error as { code?: string; message: string };
  if (error instanceof Usage) console.error([message, error.help].filter(Boolean).join("\n"));
  console.log(JSON.stringify({ ok: false, error: { code, message } }, null, 2));
  process.exitCode = 1;
}
