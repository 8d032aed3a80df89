import type pg from "pg";
import { ADVISORY_LOCKS } from "./advisory-locks.ts";
import { BOOKKEEPING, NOT_OF_EXTENSIONS, named, SCHEMAS } from "./backup/relations.ts";
import { withClient } from "./with-client.ts";

/** Columns that are written once. A trigger refuses changes too, but the service's role doesn't even have the right to try. */
export const FROZEN_COLUMNS: Record<string, string[]> = {
  contracts: [
    ...["id", "task_id", "requester_id", "provider_id", "payment_mode", "amount_pence", "created_at"],
    ...["terms", "terms_canonical", "terms_hash"],
  ],
  settlements: [
    ...["id", "contract_id", "task_id", "requester_id", "provider_id", "payment_mode", "recorded_at"],
    ...["gross_pence", "fee_pence", "net_pence", "fee_policy"],
  ],
};

type Relation = {
  name: string;
  /** Quoted, with its schema. */
  sql: string;
  kind: "table" | "view" | "sequence";
  /** Whether the owner's role owns it, and may grant rights on it. */
  owned: boolean;
  held: string[];
  heldColumns: string[];
  columns: string[];
  /** Whether triggers refuse every change, or every deletion, of its rows. */
  refusesUpdate: boolean;
  refusesDelete: boolean;
  /** Whether row security hides all rows from the service's role, as in the job queue's tables. */
  hidden: boolean;
};

const RELATIONS = `
  SELECT ${named("c")} AS name,
    format('%I.%I', n.nspname, c.relname) AS sql,
    CASE WHEN c.relkind = 'S' THEN 'sequence' WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END AS kind,
    pg_has_role(c.relowner, 'USAGE') AS owned,
    ARRAY(SELECT privilege_type FROM aclexplode(c.relacl) WHERE grantee = r.oid) AS held,
    ARRAY(SELECT a.attname::text FROM pg_attribute a, aclexplode(a.attacl) x
      WHERE a.attrelid = c.oid AND NOT a.attisdropped AND x.grantee = r.oid AND x.privilege_type = 'UPDATE') AS "heldColumns",
    ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum) AS columns,
    EXISTS (SELECT FROM refusals WHERE tgrelid = c.oid AND tgtype & 16 > 0) AS "refusesUpdate",
    EXISTS (SELECT FROM refusals WHERE tgrelid = c.oid AND tgtype & 8 > 0) AS "refusesDelete",
    c.relrowsecurity AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND r.oid = ANY (p.polroles)) AS hidden
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, (SELECT oid FROM pg_roles WHERE rolname = $1) r
  WHERE n.nspname = ANY (${SCHEMAS}) AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
    AND ${NOT_OF_EXTENSIONS}
  ORDER BY 1`;

// "Refuses" means a refuse_change() trigger on every row, whatever changes in it.
const REFUSALS = `
  WITH refusals AS (SELECT t.tgrelid, t.tgtype FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE p.proname = 'refuse_change' AND t.tgenabled <> 'D' AND t.tgqual IS NULL AND cardinality(t.tgattr::int[]) = 0)`;

/**
 * Grants the service's role exactly the rights it needs and revokes all others: it reads and writes rows, only inserts where
 * triggers refuse every change, and cannot change tables, triggers or functions. It compares the rights that the role has with
 * those that it should have, so new tables are covered, and nothing is written if nothing differs. Call it after every
 * migration.
 * @param ownerUrl a role that owns the tables
 * @throws Error naming the tables that belong to another role
 */
export async function grantToService(ownerUrl: string, service: string): Promise<void> {
  const grant = async (client: pg.Client) => {
    await client.query("BEGIN");
    await client.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.grant})`);
    for (const statement of await missingGrants(client, service)) await client.query(statement);
    await client.query("COMMIT");
  };
  await withClient(ownerUrl, grant, { application_name: "guildhall grant" });
}

async function missingGrants(client: pg.Client, service: string): Promise<string[]> {
  const { rows: relations } = await client.query<Relation>(REFUSALS + RELATIONS, [service]);
  const foreign = relations.filter(({ owned }) => !owned).map(({ name }) => name);
  if (foreign.length > 0) {
    throw new Error(
      `The role of DATABASE_OWNER_URL does not own ${foreign.slice(0, 5).join(", ")}${foreign.length > 5 ? " and more" : ""}: hand them over as docs/database-roles.md says, then start again.`,
    );
  }
  const role = client.escapeIdentifier(service);
  const { rows: granted } = await client.query<{ sql: string }>(
    `SELECT format('GRANT USAGE ON SCHEMA %I TO %I', nspname, $1::name) AS sql FROM pg_namespace
     WHERE nspname = ANY (${SCHEMAS}) AND NOT has_schema_privilege($1::name, oid, 'USAGE')
     UNION ALL
     SELECT format('GRANT EXECUTE ON ROUTINE %s TO %I', p.oid::regprocedure, $1::name)
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = ANY (${SCHEMAS}) AND prorettype <> 'trigger'::regtype
       AND pg_has_role(proowner, 'USAGE') AND NOT has_function_privilege($1::name, p.oid, 'EXECUTE')`,
    [service],
  );
  return [...granted.map(({ sql }) => sql), ...relations.flatMap((relation) => changes(client, relation, role))];
}

/** Statements that turn the role's rights on one relation into those that it should have. */
function changes(client: pg.Client, relation: Relation, role: string): string[] {
  const { name, sql, held, heldColumns, hidden } = relation;
  const wanted = rightsOn(relation);
  const frozen = FROZEN_COLUMNS[name];
  const wantedColumns = frozen ? relation.columns.filter((column) => !frozen.includes(column)) : [];
  const excess = held.filter((right) => !wanted.includes(right));
  const missing = wanted.filter((right) => !held.includes(right));
  // Revoking a right on the table revokes it on each column as well.
  const left = excess.includes("UPDATE") ? [] : heldColumns;
  const excessColumns = left.filter((column) => !wantedColumns.includes(column));
  const missingColumns = wantedColumns.filter((column) => !left.includes(column));
  const on = `ON ${relation.kind === "sequence" ? "SEQUENCE" : "TABLE"} ${sql}`;
  const list = (columns: string[]) => columns.map((column) => client.escapeIdentifier(column)).join(", ");
  return [
    ...(excess.length > 0 ? [`REVOKE ${excess.join(", ")} ${on} FROM ${role}`] : []),
    ...(excessColumns.length > 0 ? [`REVOKE UPDATE (${list(excessColumns)}) ${on} FROM ${role}`] : []),
    ...(missing.length > 0 ? [`GRANT ${missing.join(", ")} ${on} TO ${role}`] : []),
    ...(missingColumns.length > 0 ? [`GRANT UPDATE (${list(missingColumns)}) ${on} TO ${role}`] : []),
    ...(hidden ? [`CREATE POLICY ${role} ON ${sql} TO ${role} USING (true) WITH CHECK (true)`] : []),
  ];
}

function rightsOn({ name, kind, refusesUpdate, refusesDelete }: Relation): string[] {
  if (kind === "sequence") return ["USAGE"];
  if (kind === "view" || BOOKKEEPING.includes(name)) return ["SELECT"];
  const frozen = FROZEN_COLUMNS[name] !== undefined;
  return [
    ...["SELECT", "INSERT"],
    ...(frozen || refusesUpdate ? [] : ["UPDATE"]),
    ...(frozen || refusesDelete ? [] : ["DELETE"]),
  ];
}

/** What the service's role should not be able to do. */
export type Power = "is a superuser" | "owns the tables" | "may create tables";

/** The role of a URL, and the greatest power over tables and triggers that it should not have; undefined without one. */
export async function readRole(url: string): Promise<{ name: string; power: Power | undefined }> {
  const { rows } = await withClient(
    url,
    (client) =>
      client.query<{ name: string; superuser: boolean; owns: boolean; creates: boolean }>(
        `SELECT current_user AS name, rolsuper AS superuser,
         EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = ANY (${SCHEMAS}) AND c.relkind IN ('r', 'p') AND pg_has_role(c.relowner, 'MEMBER')) AS owns,
         has_schema_privilege(coalesce(current_schema(), 'public'), 'CREATE') AS creates
       FROM pg_roles WHERE rolname = current_user`,
      ),
    { connectionTimeoutMillis: 10_000 },
  );
  const role = rows[0];
  if (!role) throw new Error("PostgreSQL does not say which role this is.");
  const power = role.superuser
    ? "is a superuser"
    : role.owns
      ? "owns the tables"
      : role.creates
        ? "may create tables"
        : undefined;
  return { name: role.name, power };
}
