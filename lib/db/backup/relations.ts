import pg from "pg";

/** The schemas with the service's tables: the role's first one, and the job queue's. */
export const SCHEMAS = "ARRAY[current_schema(), 'graphile_worker']";

/** Written by migrations alone; a restore writes them by migrating. */
export const BOOKKEEPING = ["_prisma_migrations", "graphile_worker.migrations"];

/** A relation's name, with its schema unless that is the database's own. */
export const named = (relation: string) =>
  `CASE WHEN n.nspname = current_schema() THEN ${relation}.relname ELSE n.nspname || '.' || ${relation}.relname END`;

export const NOT_OF_EXTENSIONS =
  "NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')";

export type Table = { name: string; columns: string[] };

/** The tables whose rows a backup holds, with their columns; generated columns are computed again. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT ${named("c")} AS name, ARRAY(SELECT attname::text FROM pg_attribute
       WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY (${SCHEMAS}) AND c.relkind = 'r' AND ${NOT_OF_EXTENSIONS} ORDER BY 1`,
  );
  return rows.filter(({ name }) => !BOOKKEEPING.includes(name));
}

/** Every sequence with its present value. Sequences know no snapshot: read them after the tables that take numbers from them. */
export async function listSequences(client: pg.ClientBase) {
  const { rows } = await client.query<{ name: string; value: string; called: boolean }>(
    `SELECT ${named("c")} AS name, coalesce(pg_sequence_last_value(c.oid), s.seqstart)::text AS value,
       pg_sequence_last_value(c.oid) IS NOT NULL AS called
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_sequence s ON s.seqrelid = c.oid
     WHERE n.nspname = ANY (${SCHEMAS}) AND ${NOT_OF_EXTENSIONS} ORDER BY 1`,
  );
  return rows;
}

/** The name as SQL. */
export function quoted(name: string): string {
  return name.split(".").map(pg.escapeIdentifier).join(".");
}

/** What slows down a load and can be made again from its definition: foreign keys first, then indexes without a constraint. */
export async function listRebuilt(client: pg.ClientBase): Promise<{ drop: string; create: string }[]> {
  const { rows } = await client.query<{ drop: string; create: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', t.conrelid::regclass, t.conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', t.conrelid::regclass, t.conname, pg_get_constraintdef(t.oid)) AS create, 2 AS turn
     FROM pg_constraint t JOIN pg_namespace n ON n.oid = t.connamespace
     WHERE t.contype = 'f' AND t.conparentid = 0 AND n.nspname = ANY (${SCHEMAS})
     UNION ALL
     SELECT format('DROP INDEX %s', c.oid::regclass), pg_get_indexdef(c.oid), 1
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_index i ON i.indexrelid = c.oid
     WHERE n.nspname = ANY (${SCHEMAS}) AND c.relkind = 'i'
       AND NOT EXISTS (SELECT FROM pg_constraint t WHERE t.conindid = c.oid)
     ORDER BY turn, 2`,
  );
  return rows;
}
