import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

/*
 * Prisma's schema engine as WebAssembly, for development only: it compares `prisma/schema` with a database. The native engine is
 * downloaded when it is first used; this one is a package. The service itself never loads this file (testing/rules/import-order.test.ts).
 */

type SchemaFiles = { path: string; content: string }[];

/** Prisma manages every table and enum in the database. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

export const SCHEMA_DIR = resolve(import.meta.dirname, "../../prisma/schema");

/**
 * The SQL that changes a migrated database into what `prisma/schema` describes: a draft of the next migration, or a comment that
 * says "empty" if they agree.
 */
export async function diffSchema(url: string, schemaDir: string = SCHEMA_DIR): Promise<string> {
  const files = readSchema(schemaDir);
  const { stdout } = await withSchemaEngine(url, files, (engine) =>
    engine.diff({
      from: { tag: "schemaDatasource", files, configDir: schemaDir },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: NO_FILTERS,
    }),
  );
  return stdout ?? "";
}

/** The `*.prisma` files in a folder, sorted by name. */
export function readSchema(dir: string): SchemaFiles {
  const names = readdirSync(dir).filter((name) => name.endsWith(".prisma"));
  if (names.length === 0) throw new Error(`There is no Prisma schema in ${dir}.`);
  return names.sort().map((name) => ({ path: join(dir, name), content: readFileSync(join(dir, name), "utf8") }));
}

const CHAR = 18;
const TEXT = 25;

/**
 * Access for the engine through this pool. System catalogues use the one-byte type "char", which Prisma's adapter refuses to read:
 * the adapter is shown text instead, and the engine a character.
 */
function engineAdapter(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  const charsOf = new WeakMap<object, number[]>();
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>;
  const readable = async (...args: unknown[]) => {
    const result = await query(...args);
    const chars = result.fields.flatMap(({ dataTypeID }, index) => (dataTypeID === CHAR ? [index] : []));
    for (const index of chars) Object.assign(result.fields[index] as object, { dataTypeID: TEXT });
    charsOf.set(result.rows, chars);
    return result;
  };
  pool.query = readable as typeof pool.query;
  const factory = new PrismaPg(pool);
  const connect = async () => {
    const adapter = await factory.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (sent) => {
      const { columnTypes, ...result } = await queryRaw(sent);
      const chars = charsOf.get(result.rows) ?? [];
      return {
        ...result,
        columnTypes: columnTypes.map((type, at) => (chars.includes(at) ? ColumnTypeEnum.Character : type)),
      };
    };
    return adapter;
  };
  // No comparison here needs a shadow database.
  return { provider: factory.provider, adapterName: factory.adapterName, connect, connectToShadowDb: connect };
}

/** Does `work` with an engine that knows this schema and is connected to this database. */
export async function withSchemaEngine<Result>(
  url: string,
  schema: SchemaFiles,
  work: (engine: bindings.SchemaEngine) => Promise<Result>,
): Promise<Result> {
  await loadWebAssembly();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const engine = await bindings.SchemaEngine.new(
    { datamodels: schema.map((file): [string, string] => [file.path, file.content]) },
    // What matters in the engine's log also arrives as an error.
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(engineAdapter(pool)),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
    await pool.end();
  }
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

async function main(url: string | undefined): Promise<void> {
  if (!url) {
    process.stderr.write("Usage: node lib/db/diff.ts POSTGRESQL_URL\n");
    process.exitCode = 2;
    return;
  }
  process.stdout.write(await diffSchema(url));
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) await main(process.argv[2]);
