import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { checkDatabase } from "#lib/admin/check/check.ts";
import { pool } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { startTestService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { verifiedAgent } from "#testing/factories.ts";
import { sha256Of } from "#testing/files.ts";
import { postTask } from "#testing/workflow.ts";
import { backUpContents, restoreContents } from "./file-contents.ts";

/** `BACKUP_FILES=10000` for many. */
const FILES = Number(process.env.BACKUP_FILES ?? 300);

const folder = mkdtempSync(join(tmpdir(), "guildhall-many-files-"));
const [original, restored] = ["original", "restored"].map((name) => join(folder, name)) as [string, string];
const backup = join(folder, "backup.tar.zst");
const placeOf = (dir: string, sha256: string) => join(dir, sha256.slice(7, 9), sha256.slice(7));

let service: Awaited<ReturnType<typeof startTestService>>;
before(async () => {
  service = await startTestService({ FILES_DIR: original });
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

test("a backup of many files restores each with its hash, and a single wrong bit is found", async () => {
  const agent = await verifiedAgent();
  const { task_id } = await postTask(agent);
  const files = Array.from({ length: FILES }, (_, at) => {
    const bytes = randomBytes(1 + (at % 2_000));
    return { id: newId("fil"), bytes, size: bytes.length, sha256: sha256Of(bytes) };
  });
  for (const { bytes, sha256 } of files) {
    mkdirSync(dirname(placeOf(original, sha256)), { recursive: true });
    writeFileSync(placeOf(original, sha256), bytes);
  }
  const column = (name: "id" | "size" | "sha256") => files.map((file) => file[name]);
  await pool().query(
    `INSERT INTO files (id, task_id, uploader_id, purpose, name, size, media_type, sha256, state, created_at)
     SELECT id, $1, $2, 'brief', id, size, 'text/plain', sha256, 'kept', now()
     FROM unnest($3::text[], $4::int[], $5::text[]) AS f (id, size, sha256)`,
    [task_id, agent.publicId, column("id"), column("size"), column("sha256")],
  );
  assert.match(await backUpContents(env(), backup), /^\d+ contents/);
  rmSync(original, { recursive: true });
  await configure({ FILES_DIR: restored });
  await restoreContents(env(), backup);

  const checked = async () => {
    const { checks } = await checkDatabase(service.url, { deep: true });
    return checks.find(({ check }) => check === "files and their hashes");
  };
  const contents = new Set(files.map(({ sha256 }) => sha256)).size;
  assert.deepEqual([(await checked())?.checked, (await checked())?.problems], [contents, []]);

  const [flipped] = files.filter(({ size }) => size > 100);
  const place = placeOf(restored, flipped?.sha256 ?? "");
  const bytes = readFileSync(place);
  bytes[50] = (bytes[50] ?? 0) ^ 1;
  writeFileSync(place, bytes);
  const problems = (await checked())?.problems;
  assert.deepEqual(problems, [`${flipped?.id} has bytes with another hash in the store`]);
});
