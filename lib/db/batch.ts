import type { Columns, RowOf } from "./columns.ts";
import { integer } from "./columns.ts";
import { isPublicRead } from "./replica.ts";
import { type Statement, statement } from "./statement.ts";

// Under load, many requests need the same small statement at the same moment, and most of what it costs is the round trip to PostgreSQL. So
// calls wait in a queue, and all that wait at the same moment are sent as one batch: one statement over lists of their parameters.
//
// What must stay true: nothing is cached (a batch is sent after its last member called, and sees what is committed by then); each member
// gets its own rows; a member that fails, or waits for a lock, neither fails nor delays the others; no call waits for ever.
// `batch.itest.ts` holds all of it.

/**
 * The next batch is sent when none is in flight; or, while fewer than `maximumInFlight` are, when it is full or the one before it was sent
 * `LINGER_MS` ago. Writes wait for the disk, which many can do at once.
 */
const READS = { maximumBatchSize: 16, maximumInFlight: 2 } as const;
const WRITES = { maximumBatchSize: 64, maximumInFlight: 4 } as const;
const LINGER_MS = 20;
const MOST_LOCK_MS = 250;

/**
 * A SELECT that is sent once for all calls that wait at the same moment. A call that is alone is an ordinary prepared statement.
 * If a batch fails on the data of one member, each member is tried alone, so that only the one at fault fails.
 * @param name unique in the process, at most 48 bytes
 * @param columns what each row holds
 * @param types the PostgreSQL types of the first parameters, of which each member has its own; in the others, all members of a batch agree
 * @param text for one call
 */
export function batched<const C extends Columns>(
  name: string,
  columns: C,
  types: readonly string[],
  text: string,
): Statement<RowOf<C>> {
  type Row = RowOf<C>;
  const alone = statement(name, columns, text);
  const together = sendTogether<Row>(`${name}_batch`, columns, textForMany(text, types), types.length);
  const queue = new BatchQueue<Row>({
    ...READS,
    send: async (batch) => (batch.length === 1 ? [await alone(...(batch[0] ?? []))] : together(batch)),
    groupOf: (values) => values.slice(types.length).join(),
  });
  // A visitor's may go to the replica, where nobody else's goes.
  return (...values) => (isPublicRead() ? alone(...values) : queue.add(values));
}

/**
 * A write that is sent once for all calls that wait at the same moment, in one transaction. If that fails because of one member, each
 * member is tried alone.
 * @param name unique in the process, at most 54 bytes
 * @param columns what each row holds, apart from `member`; `{}` for a write without rows
 * @param text its parameters are the lists of the members' values. It has to lock rows in one order; its rows say by `member`, from 1,
 *   whose they are
 * @param keyOf two members with the same key are never in one batch
 */
export function batchedWrite<const C extends Columns>(
  name: string,
  columns: C,
  text: string,
  keyOf?: (values: unknown[]) => unknown,
): Statement<RowOf<C>> {
  const queue = new BatchQueue<RowOf<C>>({ ...WRITES, send: sendTogether(name, columns, text), keyOf });
  return (...values) => queue.add(values);
}

/**
 * A part of the WITH of a batched write, from which everything that takes locks has to read: a batch of several waits for a lock only so
 * long before each member is tried alone, so that a row that somebody holds delays nobody who does not need it.
 * @param given relation with a row for each member
 */
export function impatientWith(given: string): string {
  return `impatient AS MATERIALIZED (
     SELECT CASE WHEN count(*) > 1 THEN set_config('lock_timeout', '${MOST_LOCK_MS}', true) END FROM ${given}
   )`;
}

/** @param own how many values each member has for itself; in the others, all members of a batch agree */
function sendTogether<Row>(name: string, columns: Columns, text: string, own?: number): Send<Row> {
  const hasRows = Object.keys(columns).length > 0;
  const together = statement(name, hasRows ? { member: integer, ...columns } : {}, text);
  return async (batch) => {
    const [first = []] = batch;
    const count = own ?? first.length;
    const lists = first.slice(0, count).map((_, index) => batch.map((values) => values[index]));
    const answers = batch.map((): Row[] => []);
    // A row keeps its `member`: a copy without it would take longer than everything else that is done with the row.
    for (const row of await together(...lists, ...first.slice(count)))
      answers[(row as { member: number }).member - 1]?.push(row as Row);
    return answers;
  };
}

/** The same SELECT for every row of some lists. As sub-selects, the lists are unknown to the planner, and one plan serves all lengths. */
function textForMany(text: string, types: readonly string[]): string {
  const lists = types.map((type, index) => `(SELECT $${index + 1}::${type}[])`);
  const names = types.map((_, index) => `p${index + 1}`);
  const forOne = text.replace(/\$(\d+)/g, (placeholder, number) =>
    Number(number) <= types.length ? `given.p${number}` : placeholder,
  );
  return `SELECT given.member::int AS member, answer.*
    FROM unnest(${lists.join(", ")}) WITH ORDINALITY AS given (${names.join(", ")}, member)
    CROSS JOIN LATERAL (${forOne}) AS answer`;
}

/** Sends one statement for the values of each member of a batch. @returns the rows of each */
type Send<Row> = (batch: unknown[][]) => Promise<Row[][]>;

type Waiting<Row> = {
  values: unknown[];
  group: string;
  key: unknown;
  resolve(rows: Row[]): void;
  reject(error: unknown): void;
};

type QueueOptions<Row> = {
  maximumBatchSize: number;
  maximumInFlight: number;
  send: Send<Row>;
  /** The members of a batch have the same group. */
  groupOf?: (values: unknown[]) => string;
  /** No two members of a batch have the same key. */
  keyOf?: ((values: unknown[]) => unknown) | undefined;
};

class BatchQueue<Row> {
  readonly #options: QueueOptions<Row>;
  #waiting: Waiting<Row>[] = [];
  #inFlight = 0;
  #isPlanned = false;
  #isLingering = false;
  #sentAt = 0;

  constructor(options: QueueOptions<Row>) {
    this.#options = options;
  }

  add(values: unknown[]): Promise<Row[]> {
    const { groupOf, keyOf } = this.#options;
    return new Promise((resolve, reject) => {
      // Without `keyOf`, every member has a key of its own.
      const key = keyOf ? keyOf(values) : {};
      this.#waiting.push({ values, group: groupOf?.(values) ?? "", key, resolve, reject });
      this.#plan();
    });
  }

  #plan(): void {
    const { maximumBatchSize, maximumInFlight } = this.#options;
    if (this.#isPlanned || this.#waiting.length === 0 || this.#inFlight >= maximumInFlight) return;
    const isLate = performance.now() - this.#sentAt >= LINGER_MS;
    if (this.#inFlight === 0 || this.#waiting.length >= maximumBatchSize || isLate) {
      this.#isPlanned = true;
      // After everything that has arrived by now was read.
      setImmediate(() => {
        this.#isPlanned = false;
        void this.#send(this.#next());
        this.#plan();
      });
    } else if (!this.#isLingering) {
      this.#isLingering = true;
      setTimeout(() => {
        this.#isLingering = false;
        this.#plan();
      }, LINGER_MS);
    }
  }

  /** The first that waits, and those behind it that can be in one batch with it. */
  #next(): Waiting<Row>[] {
    const batch: Waiting<Row>[] = [];
    const rest: Waiting<Row>[] = [];
    const keys = new Set<unknown>();
    for (const each of this.#waiting) {
      const fits = batch.length < this.#options.maximumBatchSize && each.group === this.#waiting[0]?.group;
      (fits && !keys.has(each.key) ? batch : rest).push(each);
      keys.add(each.key);
    }
    this.#waiting = rest;
    return batch;
  }

  async #send(batch: Waiting<Row>[]): Promise<void> {
    this.#inFlight += 1;
    this.#sentAt = performance.now();
    const answers = await this.#options.send(batch.map(({ values }) => values)).catch((error: unknown) => ({ error }));
    this.#inFlight -= 1;
    // The next batch is on its way while the answers of this one are worked on.
    this.#plan();
    if (Array.isArray(answers)) for (const [index, { resolve }] of batch.entries()) resolve(answers[index] ?? []);
    else if (batch.length > 1 && isOfAMember(answers.error)) for (const each of batch) void this.#sendAlone(each);
    else for (const { reject } of batch) reject(answers.error);
  }

  #sendAlone({ values, resolve, reject }: Waiting<Row>): Promise<void> {
    return this.#options.send([values]).then(([rows = []]) => resolve(rows), reject);
  }
}

/**
 * SQLSTATEs that one member may have caused: wrong data (22…), a broken constraint (23…), a deadlock (40…), a lock that somebody holds for
 * long (55P03). PostgreSQL has undone everything by then.
 */
function isOfAMember(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^(22...|23...|40...|55P03)$/.test(code);
}
