import { resolve } from "node:path";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type { DiffTarget } from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";
import {
  engineAdapter,
  NO_FILTERS,
  noDatabase,
  openSchemaEngine,
  readSchema,
  SCHEMA_DIR,
  type SchemaFiles,
} from "./diff-engine.ts";

/**
 * The SQL that changes a migrated database into what `prisma/schema` describes: a draft of the next migration, or a comment that
 * says "empty" if they agree.
 */
export async function diffSchema(url: string, schemaDir: string = SCHEMA_DIR): Promise<string> {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  try {
    return await diff(engineAdapter(pool), schemaDir, (files) => ({
      tag: "schemaDatasource",
      files,
      configDir: schemaDir,
    }));
  } finally {
    await pool.end();
  }
}

/** The SQL that creates the whole schema. Needs no database. */
export async function diffFromEmpty(schemaDir: string = SCHEMA_DIR): Promise<string> {
  return diff(noDatabase, schemaDir, () => ({ tag: "empty" }));
}

async function diff(
  database: SqlMigrationAwareDriverAdapterFactory,
  schemaDir: string,
  from: (files: SchemaFiles) => DiffTarget,
): Promise<string> {
  const files = readSchema(schemaDir);
  const engine = await openSchemaEngine(database, files);
  try {
    const { stdout } = await engine.diff({
      from: from(files),
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: NO_FILTERS,
    });
    return stdout ?? "";
  } finally {
    engine.free();
  }
}

async function main(argument: string | undefined): Promise<void> {
  if (!argument) {
    process.stderr.write("Usage: node lib/db/diff.ts --from-empty | POSTGRESQL_URL\n");
    process.exitCode = 2;
    return;
  }
  process.stdout.write(argument === "--from-empty" ? await diffFromEmpty() : await diffSchema(argument));
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) await main(process.argv[2]);
