import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A computed result, and how often it has been submitted. */
export type Work = { result: string; evidence_hash: string; submissions: number };

type State = {
  /** When the inbox was last read, so that restarts do not read it more often. */
  inbox_read_at: string | null;
  work: Record<string, Work>;
};

export type StateFile = {
  read(): Readonly<State>;
  /** Changes the state; on return it is on disk. */
  change(edit: (state: State) => void): void;
};

const KEPT = 1_000;

/**
 * The state that must survive a restart; the service has everything else. The file is replaced as a whole, so that a reader
 * finds either the old state or the new one, even after a crash.
 * @throws Error if the file exists but does not hold this state
 */
export function openStateFile(file: string): StateFile {
  mkdirSync(dirname(file), { recursive: true });
  const state = load(file);
  return {
    read: () => state,
    change(edit) {
      edit(state);
      for (const taskId of Object.keys(state.work).slice(0, -KEPT)) delete state.work[taskId];
      save(file, state);
    },
  };
}

function load(file: string): State {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { inbox_read_at: null, work: {} };
    throw error;
  }
  try {
    const { inbox_read_at, work } = JSON.parse(text) as State;
    if (typeof work === "object" && work !== null) return { inbox_read_at: inbox_read_at ?? null, work };
  } catch {
    // Reported below, like any other content that is not this state.
  }
  throw new Error(`${file} does not hold this provider's state: name another STATE_FILE, or put the old one back.`);
}

function save(file: string, state: State): void {
  const draft = `${file}.new`;
  const descriptor = openSync(draft, "w", 0o600);
  try {
    writeFileSync(descriptor, `${JSON.stringify(state, undefined, 2)}\n`);
    // Without this the rename may reach the disk before the content does.
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
}
