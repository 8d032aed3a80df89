import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { iso } from "#lib/kernel/clock.ts";
import { parseCheckpoint } from "#sdk/tlog/checkpoint.ts";
import { isSigningSetUp } from "./signing-setup.ts";

/** How a log stands. `signed` is undefined until a checkpoint was signed. */
export type LogStatus = {
  id: number;
  origin: string;
  vkey: string | null;
  /** Why nothing is signed or entered, for the operator; null while all is well. */
  refusal: string | null;
  /** Signing was never set up here, which may be intended: the refusal is then no fault. */
  isOff: boolean;
  signed: { size: number; at: Date; note: string; witnesses: string[] } | undefined;
};

const logs = statement(
  "log.status",
  {
    id: db.integer,
    origin: db.text,
    vkey: db.nullable(db.text),
    refusal: db.nullable(db.text),
    stalledAt: db.nullable(db.timestamp),
    size: db.nullable(db.bigint),
    note: db.nullable(db.text),
    signedAt: db.nullable(db.timestamp),
  },
  `SELECT t.id, t.origin, t.vkey, t.refusal, t.stalled_at AS "stalledAt", c.size, c.note, c.signed_at AS "signedAt"
   FROM log_trees t LEFT JOIN log_checkpoints c ON c.tree = t.id ORDER BY t.id DESC LIMIT $1`,
);

/** The logs of this installation, the current one first. @param most null for all of them */
export async function readLogs(most: number | null = null): Promise<LogStatus[]> {
  const rows = await logs(most);
  return rows.map(({ size, note, signedAt, stalledAt, ...log }) => ({
    ...log,
    isOff: log.vkey === null && stalledAt === null && !isSigningSetUp(),
    refusal: log.refusal ?? (stalledAt && stalled(stalledAt)),
    signed:
      note !== null && signedAt !== null
        ? { size: Number(size), at: signedAt, note, witnesses: witnessesOn(note, log.origin) }
        : undefined,
  }));
}

/** The error itself is only in the service's log: this sentence is public. */
function stalled(since: Date): string {
  return `New entries could not be added to the log since ${iso(since)}. The service's own log says why. They are kept, and will be added once this works again.`;
}

/** Only cosignatures that are right are ever added. */
function witnessesOn(note: string, origin: string): string[] {
  const names = parseCheckpoint(note)?.note.signatures.map(({ name }) => name) ?? [];
  return [...new Set(names)].filter((name) => name !== origin);
}
