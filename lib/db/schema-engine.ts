import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";

export type SchemaEngine = bindings.SchemaEngine;
export type SchemaFiles = { path: string; content: string }[];

/** No table or enum of the database is managed by anyone else. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

export const SCHEMA_DIR = resolve(import.meta.dirname, "../../prisma/schema");

/** Every `*.prisma` file of a folder, in the order of their names. */
export function readSchema(dir: string = SCHEMA_DIR): SchemaFiles {
  const names = readdirSync(dir).filter((name) => name.endsWith(".prisma"));
  if (names.length === 0) throw new Error(`There is no Prisma schema in ${dir}.`);
  return names.sort().map((name) => ({ path: join(dir, name), content: readFileSync(join(dir, name), "utf8") }));
}

/**
 * Prisma's own schema engine, as WebAssembly: the native one is fetched from a download host, which a server may not
 * reach, whereas this one comes with `npm install`. Both keep the same `_prisma_migrations`.
 */
export async function openSchemaEngine(
  database: SqlMigrationAwareDriverAdapterFactory,
  schema: SchemaFiles,
): Promise<SchemaEngine> {
  await loadWebAssembly();
  return bindings.SchemaEngine.new(
    { datamodels: schema.map((file): [string, string] => [file.path, file.content]) },
    ignoreEngineLog,
    bindMigrationAwareSqlAdapterFactory(database),
  );
}

// What matters of it also arrives as an error; the rest is chatter.
function ignoreEngineLog(): void {}

let loaded: Promise<void> | undefined;

function loadWebAssembly(): Promise<void> {
  loaded ??= (async () => {
    // Where the engine leaves its last words; what it then throws says no more than "unreachable".
    Object.assign(globalThis, {
      PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => process.stderr.write(`${text}\n`) },
    });
    // The package's exports name the bindings only, hence the path beside them.
    const file = new URL("schema_engine_bg.wasm", import.meta.resolve("@prisma/schema-engine-wasm/schema_engine_bg"));
    const { instance } = await WebAssembly.instantiate(readFileSync(file), {
      "./schema_engine_bg.js": importedFunctions(),
    });
    bindings.__wbg_set_wasm(instance.exports);
    (instance.exports.__wbindgen_start as () => void)();
  })();
  return loaded;
}

// The engine's time-outs are never cleared: each would keep the process alive for ten seconds after the work is done.
function importedFunctions(): WebAssembly.ModuleImports {
  const functions = { ...bindings } as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const [name, call] of Object.entries(functions)) {
    if (!name.startsWith("__wbg_setTimeout_")) continue;
    functions[name] = (...args) => (call(...args) as NodeJS.Timeout).unref();
  }
  return functions;
}
