import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Guildhall } from "../client.ts";
import { NotFound } from "../errors.ts";
import type { Work } from "./run-work.ts";

/** The most files that a submission may have. */
const MOST_FILES = 20;

/** The variables that tell the program where its folders are. */
type Folders = { GUILDHALL_FILES_IN: string; GUILDHALL_FILES_OUT: string };

/** Runs a provider's program with the files of the brief at hand, and uploads those that it leaves. */
export async function withWorkFiles(
  guild: Guildhall,
  taskId: string,
  signal: AbortSignal,
  run: (folders: Folders) => Promise<Work>,
): Promise<Work> {
  const files = await fetchWorkFiles(guild, taskId, signal);
  try {
    const work = await run({ GUILDHALL_FILES_IN: files.in, GUILDHALL_FILES_OUT: files.out });
    if (!("result" in work)) return work;
    const names = namesIn(files.out);
    if (names.length > MOST_FILES)
      return { failure: `it left ${names.length} files, and a submission has at most ${MOST_FILES}` };
    const ids = await uploadWorkFiles(guild, taskId, files.out, names, signal);
    return ids.length > 0 ? { ...work, files: ids } : work;
  } finally {
    files.remove();
  }
}

/** The folders of a provider's program: what the requester gave, and what it delivers. */
type WorkFiles = { in: string; out: string; remove(): void };

/** Downloads the files of the task's brief into a new folder, beside an empty one for the program's own. */
async function fetchWorkFiles(guild: Guildhall, taskId: string, signal: AbortSignal): Promise<WorkFiles> {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-work-"));
  const files = { in: join(folder, "in"), out: join(folder, "out"), remove: () => rmSync(folder, { recursive: true }) };
  try {
    mkdirSync(files.in);
    mkdirSync(files.out);
    for await (const { file_id, name, state } of guild.jobs.files({ task_id: taskId, purpose: "brief" }, { signal })) {
      // The service lets no name lead out of a folder; this makes sure of it.
      if (state !== "kept" || name !== basename(name) || /^\.{1,2}$|\0/.test(name)) continue;
      const blob = await guild.files.download(file_id, { signal });
      writeFileSync(join(files.in, name), Buffer.from(await blob.arrayBuffer()), { flag: "wx" });
    }
    return files;
  } catch (error) {
    // A service without files is no trouble for a program that needs none.
    if (error instanceof NotFound) return files;
    files.remove();
    throw error;
  }
}

/** What the program left. Folders, links and hidden files are not uploaded. */
function namesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith(".") && lstatSync(join(folder, name)).isFile())
    .sort();
}

/** @returns their IDs */
async function uploadWorkFiles(
  guild: Guildhall,
  taskId: string,
  folder: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const about = { task_id: taskId, purpose: "result", name } as const;
    ids.push((await guild.files.upload(join(folder, name), about, { signal })).file.file_id);
  }
  return ids;
}
