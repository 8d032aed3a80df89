import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

/** A new folder, which is removed after the test that asks for it, or after all tests of the file that does. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
