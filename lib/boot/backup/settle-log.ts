import { join } from "node:path";
import type { LogHead } from "#lib/db/backup/fill.ts";
import { readMoment } from "#lib/db/with-client.ts";
import type { Env } from "#lib/kernel/env.ts";
import { readDurable, writeDurable } from "#lib/kernel/files/durable-file.ts";
import { parseState, type SignedState, stateText } from "#lib/record/log/signed-state.ts";
import { rootAt } from "#lib/record/log/tree.ts";
import { equal } from "#sdk/bytes.ts";
import { parseCheckpoint } from "#sdk/tlog/checkpoint.ts";

const NO_EFFECT = "--continue-log had no effect";
const RESTART = 'start another log: npm run admin -- log-restart --reason "…".';

/**
 * After a restore: whether the log's signing continues, which depends on what is recorded beside its key. With `continueLog`, a
 * missing record is written from the backup's checkpoint.
 * @param head of the backup; undefined if nothing was signed before it
 * @returns what the operator has to know, as sentences
 */
export async function settleLog(
  env: Env,
  ownerUrl: string,
  head: LogHead | undefined,
  continueLog: boolean,
): Promise<string[]> {
  if (!head) return continueLog ? [`${NO_EFFECT}: nothing had been signed when the backup was made.`] : [];
  const signed = parseCheckpoint(head.note);
  if (!signed) return ["The log's checkpoint in this backup cannot be read."];
  const file = join(env.logStateDir ?? join(env.dataDir, "log"), `log-${head.id}.state`);
  const text = readDurable(file);
  if (text === undefined) {
    if (!continueLog)
      return [
        `The record of what the log signed last (${file}) is not here, so nothing will be signed. If nothing was signed after this backup, restore it with --continue-log. Otherwise ${RESTART}`,
      ];
    writeDurable(file, stateText({ origin: head.origin, size: signed.size, root: signed.root }));
    return [];
  }
  const state = parseState(text);
  if (!state)
    return [`The record of what the log signed last (${file}) is damaged, so nothing will be signed. Put a copy back.`];
  if (await isContinued(ownerUrl, head.id, state))
    return continueLog ? [`${NO_EFFECT}: ${file} is here and fits the backup, so signing continues.`] : [];
  return [
    `${continueLog ? `${NO_EFFECT}. ` : ""}The log signed ${state.size} entries (${file}), and this backup does not have all of them, so nothing will be signed. Restore a newer backup if you have one. Otherwise ${RESTART}`,
  ];
}

/** Whether the restored log extends what was signed, as signing will ask. */
function isContinued(url: string, tree: number, { size, root }: SignedState): Promise<boolean> {
  return readMoment(url, "restore", async (query) => {
    const [log] = await query<{ size: number }>("SELECT size::float8 AS size FROM log_trees WHERE id = $1", [tree]);
    if (!log || log.size < size) return false;
    return size === 0 || equal(await rootAt(query, tree, size), root);
  });
}
