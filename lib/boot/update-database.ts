import { migrate } from "#lib/db/migrate.ts";
import { grantToService, readRole } from "#lib/db/roles.ts";
import { installJobQueue } from "#lib/jobs/queue.ts";

export type Updated = {
  /** The migrations that were applied, oldest first. */
  applied: string[];
  /** For the person who starts the service: why its role could change its own tables. */
  warning: string | undefined;
};

/**
 * Brings a database up to date, as the role that owns it, and gives the service's role its rights. Several processes may do it at
 * once.
 * @param url for the service's role
 * @param ownerUrl the same as `url` where the roles are not separated
 */
export async function updateDatabase(url: string, ownerUrl: string): Promise<Updated> {
  const separated = ownerUrl !== url;
  try {
    const { applied } = await migrate(ownerUrl);
    await installJobQueue(ownerUrl);
    const { name, power } = await readRole(url);
    // A superuser and an owner have every right, and take none away from themselves.
    if (separated && (!power || power === "may create tables")) await grantToService(ownerUrl, name);
    return { applied, warning: power && warn(name, power, separated) };
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as { code?: string };
    if (code !== INSUFFICIENT_PRIVILEGE) throw error;
    const remedy = separated
      ? "The role of DATABASE_OWNER_URL does not own the tables"
      : "The role of DATABASE_URL cannot update the database, and DATABASE_OWNER_URL is not set";
    throw new Error(`${(error as Error).message}. ${remedy}: see docs/database-roles.md.`, { cause: error });
  }
}

const INSUFFICIENT_PRIVILEGE = "42501";

function warn(name: string, power: string, separated: boolean): string {
  const remedy = separated ? "Separate it from DATABASE_OWNER_URL's" : "Give it a separate owner in DATABASE_OWNER_URL";
  return `The service can change its own tables, because its database role ${name} ${power}. ${remedy}: see docs/database-roles.md.`;
}
