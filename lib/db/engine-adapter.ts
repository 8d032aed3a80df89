import { PrismaPg } from "@prisma/adapter-pg";
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from "@prisma/driver-adapter-utils";
import type { Pool } from "pg";

/**
 * The schema engine's access to a database: Prisma's adapter, with the two things mended that it gets wrong for this
 * purpose. `onScriptError` gets the error that a migration's SQL ended with.
 */
export function engineAdapter(
  pool: Pool,
  onScriptError: (error: unknown) => void = () => undefined,
): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(pool);
  const connect = async () => {
    const adapter = await factory.connect();
    readCharColumns(adapter);
    // The adapter's own cuts a script at every semicolon, those inside functions and comments too.
    adapter.executeScript = async (script) => {
      await pool.query(script).catch((error: unknown) => {
        onScriptError(error);
        throw error;
      });
    };
    return adapter;
  };
  return { provider: factory.provider, adapterName: factory.adapterName, connect, connectToShadowDb: connect };
}

type Answer = { fields: { dataTypeID: number }[]; rows: object };
const CHAR = 18;
const TEXT = 25;

/**
 * System catalogues are full of the one-byte type "char", which the adapter refuses to read. It is given out as text
 * where the adapter looks at it, and as a character where the engine does.
 */
function readCharColumns(adapter: SqlDriverAdapter): void {
  const charColumns = new WeakMap<object, number[]>();
  const inner = adapter as unknown as { performIO(query: SqlQuery): Promise<Answer> };
  const performIO = inner.performIO.bind(adapter);
  inner.performIO = async (query) => {
    const answer = await performIO(query);
    const found = answer.fields.flatMap((field, index) => (field.dataTypeID === CHAR ? [index] : []));
    charColumns.set(answer.rows, found);
    const fields = answer.fields.map((field) => (field.dataTypeID === CHAR ? { ...field, dataTypeID: TEXT } : field));
    return { ...answer, fields };
  };
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    const columnTypes = [...result.columnTypes];
    for (const index of charColumns.get(result.rows) ?? []) columnTypes[index] = ColumnTypeEnum.Character;
    return { ...result, columnTypes };
  };
}
