import { setFlagsFromString } from "node:v8";

/** In percent of what may be added to the old objects since the last time: in the background, then at once. */
export const MARKING_FLAGS = ["--incremental-marking-soft-trigger=80", "--incremental-marking-hard-trigger=95"];

/**
 * Marks all objects once most of the room for old ones is used. V8 on its own begins as soon as that room is smaller than the room for
 * young objects. With few old ones, that is after each collection of young ones, for nothing, and takes a quarter of the processor time of a
 * small read.
 */
export function markRarely(): void {
  for (const flag of MARKING_FLAGS) setFlagsFromString(flag);
}
