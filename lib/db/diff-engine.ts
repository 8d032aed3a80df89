import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import type { Pool } from "pg";

/*
 * Prisma's schema engine as WebAssembly, for development only: it compares `prisma/schema` with a database. The native engine is
 * downloaded when it is first used; this one is a package. The service itself never loads this file (testing/rules/import-order.test.ts).
 */

export type SchemaFiles = { path: string; content: string }[];

/** Prisma manages every table and enum in the database. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

export const SCHEMA_DIR = resolve(import.meta.dirname, "../../prisma/schema");

/** The `*.prisma` files in a folder, sorted by name. */
export function readSchema(dir: string = SCHEMA_DIR): SchemaFiles {
  const names = readdirSync(dir).filter((name) => name.endsWith(".prisma"));
  if (names.length === 0) throw new Error(`There is no Prisma schema in ${dir}.`);
  return names.sort().map((name) => ({ path: join(dir, name), content: readFileSync(join(dir, name), "utf8") }));
}

/** The caller frees the engine. */
export async function openSchemaEngine(
  database: SqlMigrationAwareDriverAdapterFactory,
  schema: SchemaFiles,
): Promise<bindings.SchemaEngine> {
  await loadWebAssembly();
  return bindings.SchemaEngine.new(
    { datamodels: schema.map((file): [string, string] => [file.path, file.content]) },
    // What matters in the engine's log also arrives as an error.
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(database),
  );
}

let loaded: Promise<void> | undefined;

function loadWebAssembly(): Promise<void> {
  loaded ??= (async () => {
    // The engine reports why it panicked here; the error that it throws then only says "unreachable".
    Object.assign(globalThis, {
      PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => process.stderr.write(`${text}\n`) },
    });
    // The package exports the bindings only, so we take the file beside them.
    const file = new URL("schema_engine_bg.wasm", import.meta.resolve("@prisma/schema-engine-wasm/schema_engine_bg"));
    const { instance } = await WebAssembly.instantiate(readFileSync(file), {
      "./schema_engine_bg.js": importedFunctions(),
    });
    bindings.__wbg_set_wasm(instance.exports);
    (instance.exports.__wbindgen_start as () => void)();
  })();
  return loaded;
}

// The engine never clears its time-outs: each would keep the process alive for ten seconds after the work is done.
function importedFunctions(): WebAssembly.ModuleImports {
  const functions = { ...bindings } as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const [name, call] of Object.entries(functions)) {
    if (!name.startsWith("__wbg_setTimeout_")) continue;
    functions[name] = (...args) => (call(...args) as NodeJS.Timeout).unref();
  }
  return functions;
}

/** The engine's access to a database. */
export function engineAdapter(pool: Pool): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(pool);
  const connect = async () => {
    const adapter = await factory.connect();
    readCharColumns(adapter);
    return adapter;
  };
  return { provider: factory.provider, adapterName: factory.adapterName, connect, connectToShadowDb: connect };
}

type Result = { fields: { dataTypeID: number }[]; rows: object };
const CHAR = 18;
const TEXT = 25;

/**
 * System catalogues use the one-byte type "char", which Prisma's adapter refuses to read. The adapter is shown text instead, and
 * the engine a character.
 */
function readCharColumns(adapter: SqlDriverAdapter): void {
  const charColumns = new WeakMap<object, number[]>();
  const inner = adapter as unknown as { performIO(query: SqlQuery): Promise<Result> };
  const performIO = inner.performIO.bind(adapter);
  inner.performIO = async (query) => {
    const result = await performIO(query);
    const found = result.fields.flatMap((field, index) => (field.dataTypeID === CHAR ? [index] : []));
    charColumns.set(result.rows, found);
    const fields = result.fields.map((field) => (field.dataTypeID === CHAR ? { ...field, dataTypeID: TEXT } : field));
    return { ...result, fields };
  };
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    const columnTypes = [...result.columnTypes];
    for (const index of charColumns.get(result.rows) ?? []) columnTypes[index] = ColumnTypeEnum.Character;
    return { ...result, columnTypes };
  };
}

const silent: SqlDriverAdapter = {
  provider: "postgres",
  adapterName: "@prisma/adapter-pg",
  queryRaw: async () => ({ columnNames: [], columnTypes: [], rows: [] }),
  executeRaw: async () => 0,
  executeScript: async () => undefined,
  startTransaction: async () => {
    throw new Error("There is no database to open a transaction on.");
  },
  getConnectionInfo: () => ({ schemaName: "public", supportsRelationJoins: true }),
  dispose: async () => undefined,
};

/** For comparisons without a database: the engine insists on a connection, but sends no query that matters. */
export const noDatabase: SqlMigrationAwareDriverAdapterFactory = {
  provider: silent.provider,
  adapterName: silent.adapterName,
  connect: async () => silent,
  connectToShadowDb: async () => silent,
};
