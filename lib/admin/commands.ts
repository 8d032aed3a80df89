import { ACCOUNT_COMMANDS } from "./commands/accounts.ts";
import type { Command } from "./commands/command.ts";
import { IDENTITY_COMMANDS } from "./commands/identities.ts";
import { MONEY_COMMANDS } from "./commands/money.ts";
import { REPORT_COMMANDS } from "./commands/reports.ts";
import { SERVICE_COMMANDS } from "./commands/service.ts";

/** The administrator's commands by name, in the order of the usage text. */
export const COMMANDS: Record<string, Command> = {
  ...ACCOUNT_COMMANDS,
  ...IDENTITY_COMMANDS,
  ...MONEY_COMMANDS,
  ...REPORT_COMMANDS,
  ...SERVICE_COMMANDS,
};
