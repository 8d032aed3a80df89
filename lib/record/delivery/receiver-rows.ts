import * as db from "#lib/db/columns.ts";
import { namedStatement } from "#lib/db/named.ts";
import { statement } from "#lib/db/statement.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";

// Who has something to get, and which process delivers it: the rows of `webhooks` and of `owner_channels`, which all processes share. A
// receiver has one holder at a time, which must say so again with every delivery, because another process takes over when its time is up.

/** Longer than one attempt may take, with what is recorded before and after it. */
const HELD_SECONDS = 30;

/** Where a receiver waits, by its last attempt: it accepted within a second, or later, or not at all. */
export type Lane = "prompt" | "slow" | "failing";

/** Every statement here uses `r` for the receiver's row. A placeholder such as `:version` gets the value of that name. */
type Table<C> = {
  /** Prefix of the statements' names. */
  name: string;
  table: string;
  key: string;
  /** What its holder needs of a row, besides `id` and `failures`. */
  held: C;
  /** What the row belongs to, and when deliveries to it are not paused. */
  owner: string;
  belongs: string;
  unpaused: string;
  /** Whether something may wait for the receiver. */
  waiting: string;
  /** What else a success sets. */
  delivered: string;
  /** What else the end of a round sets. */
  released?: string;
  /** Whether the outcome of an attempt still counts. */
  unchanged?: string;
};

type Values = Readonly<Record<string, unknown>>;

/** How the processes share the receivers of one kind. */
export function receiverRows<const C extends db.Columns>(of: Table<C>) {
  const { name, table, key, owner, belongs, unpaused, unchanged = "true" } = of;
  const held = { id: db.text.from(`r.${key}`), failures: db.integer.from("r.failures"), ...of.held };
  const due = (now: string) =>
    `r.enabled AND ${of.waiting} AND r.due_at <= ${now} AND (r.held_until IS NULL OR r.held_until <= ${now})`;
  const FREE = "holder = NULL, held_until = NULL";

  // Both values of `slow` are named because the index begins with it.
  const anyDue = statement(
    `${name}_due`,
    { due: db.boolean },
    `SELECT EXISTS (SELECT FROM ${table} r WHERE r.slow = ANY ('{false,true}') AND ${due("$1")}) AS due`,
  );
  const claimDue = statement(
    `${name}_claim`,
    held,
    `UPDATE ${table} r SET holder = $1, held_until = $3
     WHERE r.${key} = ANY (ARRAY(
       SELECT r.${key} FROM ${table} r JOIN ${owner} ON ${belongs}
       WHERE ${due("$2")} AND r.slow = $4 AND (NOT $4 OR (r.failures > 0) = $6) AND ${unpaused}
       ORDER BY r.due_at LIMIT $5 FOR UPDATE OF r SKIP LOCKED))
     RETURNING ${db.select(held)}`,
  );

  /** A write of the holder. */
  function write<const R extends db.Columns>(what: string, columns: R, sets: string, rest = "") {
    const text = `UPDATE ${table} r SET ${sets}${rest}`;
    const names = new Set(Array.from(text.matchAll(/(?<!:):(\w+)/g), ([, each = ""]) => each));
    return namedStatement(`${name}_${what}`, columns, [...names], text);
  }
  const isHeld = `r.${key} = :id AND r.holder = :holder`;
  const succeed = write(
    "delivered",
    { goesOn: db.boolean },
    `failures = 0, failing_since = NULL, last_error = NULL, slow = :slow, held_until = :until, ${of.delivered}`,
    ` FROM ${owner} WHERE ${isHeld} AND ${unchanged} AND ${belongs} RETURNING ${unpaused} AS "goesOn"`,
  );
  const fail = write(
    "failed",
    { id: db.text },
    `failures = failures + 1, failing_since = coalesce(failing_since, :at), last_error = :error, due_at = :next, slow = true, ${FREE}`,
    ` WHERE ${isHeld} AND ${unchanged} RETURNING r.${key} AS id`,
  );
  const letGo = write("release", {}, `${FREE}, due_at = :now${of.released ?? ""}`, ` WHERE ${isHeld}`);

  return {
    /** Whether any receiver may be claimed. Processes ask this every second and after each batch of events, and usually there is none. */
    async isAnyDue(now: Date): Promise<boolean> {
      return (await anyDue(now))[0]?.due === true;
    },
    /** Takes receivers of one lane that are due, those that waited longest first. */
    claim(holder: string, now: Date, lane: Lane, most: number) {
      return claimDue(holder, now, secondsAfter(now, HELD_SECONDS), lane !== "prompt", most, lane === "failing");
    },
    /**
     * Records a success, and holds the receiver for its next delivery.
     * @returns false if the holder must stop: the receiver was changed, paused, removed or taken over
     */
    async recordSuccess(values: Values & { now: Date; slow: boolean }): Promise<boolean> {
      const [row] = await succeed({ ...values, until: secondsAfter(values.now, HELD_SECONDS) });
      return row?.goesOn === true;
    },
    /** Puts the receiver off until its next attempt; false if it was changed or taken over meanwhile. */
    async recordFailure(values: Values & { at: Date; error: string; next: Date }): Promise<boolean> {
      return (await fail(values)).length > 0;
    },
    /** Ends the holder's round, if it is still the holder. The receiver is due again at once if something is left. */
    async release(values: Values & { now: Date }): Promise<void> {
      await letGo(values);
    },
    /** Gives up everything that this process holds, when it stops. */
    abandon: statement(
      `${name}_abandon`,
      {},
      `UPDATE ${table} SET ${FREE} WHERE ${key} = ANY (ARRAY(SELECT ${key} FROM ${table} WHERE holder = $1 FOR UPDATE SKIP LOCKED))`,
    ),
  };
}
