import type { Env } from "#lib/kernel/env.ts";
import { BACKUP_COMMANDS, type OwnCommand } from "./backup/commands.ts";
import { openDatabase } from "./database.ts";
import { updateDatabase } from "./update-database.ts";

/** Commands of `npm run admin` that open the database in their own way. */
export const OWN_COMMANDS: Record<string, OwnCommand> = {
  ...BACKUP_COMMANDS,
  migrate: {
    args: [],
    summary:
      "apply missing migrations and grant the service's role its rights, as DATABASE_OWNER_URL; each start with that variable does the same",
    changes: false,
    run: migrate,
  },
};

async function migrate(env: Env): Promise<object> {
  const database = await openDatabase(env);
  try {
    const { applied, warning } = await database.asOwner((ownerUrl) => updateDatabase(database.url, ownerUrl));
    return { applied, warnings: warning ? [warning] : [] };
  } finally {
    await database.close();
  }
}
