import { ACCOUNT_COMMANDS } from "#lib/admin/commands/accounts.ts";
import { type Command, OPTIONS, type OwnCommand } from "#lib/admin/commands/command.ts";
import { IDENTITY_COMMANDS } from "#lib/admin/commands/identities.ts";
import { MONEY_COMMANDS } from "#lib/admin/commands/money.ts";
import { REPORT_COMMANDS } from "#lib/admin/commands/reports.ts";
import { SERVICE_COMMANDS } from "#lib/admin/commands/service.ts";
import { API_COMMANDS } from "#lib/api/commands.ts";
import type { Env } from "#lib/kernel/env.ts";
import { BACKUP_COMMANDS } from "./backup/commands.ts";
import { openDatabase } from "./database.ts";
import { updateDatabase } from "./update-database.ts";

export type AnyCommand = Command | OwnCommand;
type Commands = ReadonlyMap<string, AnyCommand>;

const DATABASE_COMMANDS: Record<string, OwnCommand> = {
  migrate: {
    args: [],
    summary:
      "apply missing migrations and grant the service's role its rights, as DATABASE_OWNER_URL; each start with that variable does the same",
    example: "migrate",
    runOn: migrate,
  },
};

/** Every command of `npm run admin`, in the order of the help. */
export const COMMANDS: Commands = tableOf(
  ACCOUNT_COMMANDS,
  IDENTITY_COMMANDS,
  MONEY_COMMANDS,
  REPORT_COMMANDS,
  SERVICE_COMMANDS,
  API_COMMANDS,
  BACKUP_COMMANDS,
  DATABASE_COMMANDS,
);

/** @throws Error if two commands have one name: the second would hide the first */
export function tableOf(...groups: Record<string, AnyCommand>[]): Commands {
  const table = new Map<string, AnyCommand>();
  for (const [name, command] of groups.flatMap(Object.entries<AnyCommand>)) {
    if (table.has(name)) throw new Error(`Two commands of the administrator have the name ${name}. Rename one.`);
    table.set(name, command);
  }
  return table;
}

/** How a command is called, after `npm run admin --`. */
export function usageOf(name: string, command: AnyCommand): string {
  const { args, optionalArgs = [], options = [] } = command;
  return [
    name,
    ...args,
    ...optionalArgs.map((arg) => `[${arg}]`),
    ...options.map((option) => `[${optionText(option)}]`),
    ...reasonOf(command),
  ].join(" ");
}

export function optionText(name: keyof typeof OPTIONS): string {
  const option = OPTIONS[name];
  return "value" in option ? `--${name} ${option.value}` : `--${name}`;
}

function reasonOf(command: AnyCommand): string[] {
  if ("runOn" in command || !command.changes) return [];
  return [command.needsNoReason ? '[--reason "…"]' : '--reason "…"', "[--as NAME]"];
}

/** The summary as a sentence. */
export const sentenceOf = ({ summary }: AnyCommand): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;

async function migrate(env: Env): Promise<object> {
  const database = await openDatabase(env);
  try {
    const { applied, warning } = await database.asOwner((ownerUrl) => updateDatabase(database.url, ownerUrl));
    return { applied, warnings: warning ? [warning] : [] };
  } finally {
    await database.close();
  }
}
