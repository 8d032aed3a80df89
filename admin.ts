import { parseArgs } from "node:util";
import { openDatabase } from "#lib/boot/database.ts";
import { generateClient } from "#lib/db/generate.ts";
import { migrate } from "#lib/db/migrate.ts";
import { loadEnv } from "#lib/kernel/env.ts";

// `npm run admin -- COMMAND …`: works beside a running service and without one, prints JSON, and exits 1 on a refusal.
process.chdir(import.meta.dirname);
Object.assign(process.env, { NODE_ENV: "production" });

async function main(): Promise<object> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { as: { type: "string" }, reason: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  const env = loadEnv();
  await generateClient();
  const { COMMANDS } = await import("#lib/admin/commands.ts");
  const [name = "", ...args] = positionals;
  const command = COMMANDS[name];
  if (values.help || !command)
    throw new Usage(usage(COMMANDS, name && !command ? `There is no command "${name}".` : ""));
  const most = command.args.length + (command.optionalArgs?.length ?? 0);
  if (args.length < command.args.length || args.length > most)
    throw new Usage(`Usage: npm run admin -- ${line(name, command)}`);
  const reason = values.reason?.trim() ?? "";
  if (command.changes && !command.needsNoReason && !reason)
    throw new Usage(`"${name}" changes something: say why with --reason "…".`);

  const database = await openDatabase(env);
  try {
    await migrate(database.url);
    const { commandLineContext } = await import("#lib/admin/context.ts");
    return await command.run(commandLineContext(values.as?.trim() || "command line"), args, reason);
  } finally {
    const { closeDatabase } = await import("#lib/db/client.ts");
    await closeDatabase();
    await database.close();
  }
}

class Usage extends Error {}

type Listed = Record<
  string,
  { args: string[]; optionalArgs?: string[]; summary: string; changes: boolean; needsNoReason?: boolean }
>;

function line(name: string, { args, optionalArgs = [], changes, needsNoReason }: Listed[string]): string {
  const reason = needsNoReason ? '[--reason "…"]' : '--reason "…"';
  return [name, ...args, ...optionalArgs.map((arg) => `[${arg}]`), changes ? `${reason} [--as NAME]` : ""]
    .join(" ")
    .trim();
}

function usage(commands: Listed, problem: string): string {
  const lines = Object.entries(commands).map(([name, command]) => `  ${line(name, command)}\n      ${command.summary}`);
  return [...(problem ? [problem] : []), "Usage: npm run admin -- COMMAND", ...lines].join("\n");
}

try {
  console.log(JSON.stringify({ ok: true, ...(await main()) }, null, 2));
} catch (error) {
  const { code = "failed", message } = error as { code?: string; message: string };
  if (error instanceof Usage) console.error(message);
  else console.log(JSON.stringify({ ok: false, error: { code, message } }, null, 2));
  process.exitCode = 1;
}
