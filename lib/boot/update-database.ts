import { migrate } from "#lib/db/migrate.ts";
import { grantToService, type Power, readRole } from "#lib/db/roles.ts";
import { installJobQueue } from "#lib/jobs/queue.ts";

type Updated = {
  /** The migrations that were applied, oldest first. */
  applied: string[];
  /** For the operator: why the service's role could change its own tables. */
  warning: string | undefined;
};

/**
 * Migrates a database as the role that owns it, and grants the service's role its rights. Several processes may do this at once.
 * @param url for the service's role
 * @param ownerUrl of the same role as `url` where the roles are not separated
 * @throws Error naming the migration that failed, or the variable whose role may not do this
 */
export async function updateDatabase(url: string, ownerUrl: string): Promise<Updated> {
  const separated = await isSeparated(url, ownerUrl);
  const applied = await migrateAll(ownerUrl).catch(async (error: unknown) => {
    throw (await explain(error, ownerUrl, separated)) ?? error;
  });
  const { name, power } = await readRole(url);
  // A superuser or owner has every right anyway.
  if (separated && (!power || power === "may create tables")) await grantToService(ownerUrl, name);
  return { applied, warning: power && warn(name, power, separated) };
}

/** Two URLs may name one role: behind a pooler, `DIRECT_DATABASE_URL` stands in for an owner's URL that is not set. */
async function isSeparated(url: string, ownerUrl: string): Promise<boolean> {
  if (ownerUrl === url) return false;
  const [service, owner] = await Promise.all([readRole(url), readRole(ownerUrl)]);
  return service.name !== owner.name;
}

async function migrateAll(ownerUrl: string): Promise<string[]> {
  const { applied } = await migrate(ownerUrl);
  await installJobQueue(ownerUrl);
  return applied;
}

const INSUFFICIENT_PRIVILEGE = "42501";

/** If the role lacked rights: an error that names the variable with the wrong role. */
async function explain(error: unknown, ownerUrl: string, separated: boolean): Promise<Error | undefined> {
  const role = await readRole(ownerUrl).catch(() => undefined);
  const { code } = ((error as Error).cause ?? error) as { code?: string };
  const isDenied = role && (!role.power || (role.power === "may create tables" && code === INSUFFICIENT_PRIVILEGE));
  if (!isDenied) return undefined;
  const [variable, remedy] = separated
    ? ["DATABASE_OWNER_URL", "hand the tables over to it"]
    : ["DATABASE_URL", "set DATABASE_OWNER_URL to the role that owns the tables"];
  return new Error(
    `The database needs updating, but ${variable}'s role ${role.name} may not do that: ${remedy} (see docs/database-roles.md).`,
    { cause: error },
  );
}

function warn(name: string, power: Power, separated: boolean): string {
  const remedy = separated ? "Separate it from DATABASE_OWNER_URL's" : "Give it a separate owner in DATABASE_OWNER_URL";
  return `The service can change its own tables, because its database role ${name} ${power}. ${remedy}: see docs/database-roles.md.`;
}
