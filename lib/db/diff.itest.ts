import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { testDatabase } from "#testing/database.ts";
import { diffSchema, SCHEMA_DIR } from "./diff.ts";

test("the migrations create exactly the database that prisma/schema describes", async () => {
  const database = await testDatabase();
  try {
    assert.equal((await diffSchema(database.ownerUrl)).trim(), "-- This is an empty migration.");
  } finally {
    await database.drop();
  }
});

test("a model that no migration creates is reported as the SQL that would create it", async () => {
  const schema = mkdtempSync(join(tmpdir(), "guildhall-schema-"));
  const database = await testDatabase();
  try {
    cpSync(SCHEMA_DIR, schema, { recursive: true });
    writeFileSync(join(schema, "added.prisma"), "model Added {\n  id Int @id\n}\n");
    assert.match(await diffSchema(database.ownerUrl, schema), /CREATE TABLE "Added"/);
  } finally {
    await database.drop();
    rmSync(schema, { recursive: true });
  }
});
