import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What is in this folder of Linux is in memory. */
const MEMORY = "/dev/shm";
/** A run needs less than half of it. */
const NEEDED_BYTES = 6_000_000_000;

/**
 * An empty folder in memory for the databases and temporary files of a run in this checkout, or undefined where there is none that is
 * large enough and allows programs. A test's database has a thousand files, which cost a fifth as much there as on a disk.
 */
export function openMemoryFolder(root: string, memory = MEMORY, free = process.availableMemory()): string | undefined {
  const folder = join(memory, `guildhall-${createHash("sha256").update(root).digest("hex").slice(0, 8)}`);
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (Math.min(bavail * bsize, free) < NEEDED_BYTES) return undefined;
    // Left by a run that was killed.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    // PostgreSQL may run as another user.
    chmodSync(folder, 0o755);
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    const runs = spawnSync(program).status === 0;
    rmSync(runs ? program : folder, { recursive: true });
    return runs ? folder : undefined;
  } catch {
    return undefined;
  }
}
