import { constants } from "node:fs";
import { copyFile, link, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Env } from "#lib/kernel/env.ts";

/** The folder beside a backup with the contents of files. */
const contentsOf = (file: string) => `${file}.files`;

const SHARD = /^[0-9a-f]{2}$/;
const CONTENT = /^[0-9a-f]{64}$/;

/**
 * Copies the contents of all files from one folder to another, without those that are there. On the same file system they are hard links, which
 * take no space: contents never change.
 * @returns how many there are now; undefined if there is no such folder
 */
export async function copyContents(from: string, to: string): Promise<number | undefined> {
  const shards = await readdir(from).catch(() => undefined);
  if (!shards) return undefined;
  let count = 0;
  for (const shard of shards.filter((name) => SHARD.test(name))) {
    const names = (await readdir(join(from, shard))).filter((name) => CONTENT.test(name));
    await mkdir(join(to, shard), { recursive: true, mode: 0o700 });
    for (const name of names) await copyOne(join(from, shard, name), join(to, shard, name));
    count += names.length;
  }
  return count;
}

async function copyOne(from: string, to: string): Promise<void> {
  const isHere = (error: NodeJS.ErrnoException) => {
    // Removed since it was listed, or copied before.
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  };
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "EEXIST") return;
    return copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE).catch(isHere);
  });
}

/** Puts the contents of all files beside a backup of the database. Call it before and after that is written: one of the two has each file. */
export async function backUpContents(env: Env, file: string): Promise<string> {
  if (env.filesS3) return `in the bucket at ${new URL(env.filesS3.url).host}, which is not part of this backup`;
  const count = await copyContents(env.filesDir, contentsOf(file));
  return count === undefined ? "none" : `${count} contents in ${contentsOf(file)}`;
}

/** Puts them back. @returns where they are, in words */
export async function restoreContents(env: Env, file: string): Promise<string> {
  if (env.filesS3) return `in the bucket at ${new URL(env.filesS3.url).host}, as it is`;
  const count = await copyContents(contentsOf(file), env.filesDir);
  return count === undefined ? "none beside the backup" : `${count} contents in ${env.filesDir}`;
}

export const removeContents = (file: string) => rm(contentsOf(file), { recursive: true, force: true });
