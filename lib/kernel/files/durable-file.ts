import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** The file's text; undefined if there is no such file. @throws Error if it exists but cannot be read */
export function readDurable(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Replaces the file, readable only by its owner. When this returns, the new text outlasts a power failure; a crash leaves the old or the new one. */
export function writeDurable(file: string, text: string): void {
  const draft = writeDraft(file, text);
  renameSync(draft, file);
  syncFolder(file);
}

/** Creates the file if there is none. @returns the text that is in it now */
export function createDurable(file: string, text: string): string {
  const draft = writeDraft(file, text);
  try {
    linkSync(draft, file);
    syncFolder(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readDurable(file) ?? text;
}

function writeDraft(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return draft;
}

/** A new name is durable only once its folder is synced. Windows neither needs nor allows this. */
function syncFolder(file: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(dirname(file), "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
