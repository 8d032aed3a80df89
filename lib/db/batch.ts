import type { Columns, RowOf } from "./columns.ts";
import { integer } from "./columns.ts";
import { isPublicRead } from "./replica.ts";
import { placedStatement, type Statement, statement } from "./statement.ts";

// Under load, many requests need the same small read at the same moment. Most of what such a read costs is the way to PostgreSQL
// and back, so all that wait together go there as one statement. Nothing is cached: a batch is sent after its last member asked,
// and sees what is committed by then.

/**
 * How many members a batch has at most, how many batches of one statement are on their way at the same time, and how many members
 * have to wait before another one leaves beside the first. Reads: enough to share the cost of the way, and few enough that PostgreSQL works on
 * one batch while this process answers the members of another. While fewer wait than fill a batch, a second one would only make both
 * smaller. Writes wait for the disk, which many can do together.
 */
const READS = { most: 16, flights: 2, another: 20 } as const;
const WRITES = { most: 64, flights: 1, another: 0 } as const;
/** Those who wait leave when the batch before them has taken this long. */
const PATIENCE_MS = 20;

type Member<Row> = { values: unknown[]; done(rows: Row[]): void; fail(error: unknown): void };

/** Sends one statement for many, and says when its answer is there, before anybody looks at it. */
type Send<Row> = (members: Member<Row>[], landed: () => void) => Promise<void>;

/** The parameters' PostgreSQL types: of `each` member first, then those in which `all` members of a batch agree. */
type Parameters = { each: readonly string[]; all?: readonly string[] };

/**
 * A SELECT that is sent once for all calls that wait at the same moment. A call that is alone is an ordinary prepared statement.
 * If a batch fails on the data of one member, each member is tried alone, so that only the one at fault fails.
 * @param name unique in the process, at most 48 bytes
 * @param columns what each row holds
 * @param text for one call; the parameters of each member come first: `$1` to `$n`
 */
export function batched<const C extends Columns>(
  name: string,
  columns: C,
  { each, all = [] }: Parameters,
  text: string,
): Statement<RowOf<C>> {
  type Row = RowOf<C>;
  const alone = statement(name, columns, text);
  const together = placedStatement<Row>(`${name}_batch`, { member: integer, ...columns }, textForMany(text, each));
  const send: Send<Row> = async (members, landed) => {
    const lists = each.map((_, index) => members.map(({ values }) => values[index]));
    const shared = members[0]?.values.slice(each.length) ?? [];
    const rows = await together(...lists, ...shared);
    landed();
    const answers = members.map((): Row[] => []);
    for (const { place, row } of rows) answers[place - 1]?.push(row);
    for (const [index, { done }] of members.entries()) done(answers[index] ?? []);
  };
  const keyOf = all.length > 0 ? (values: unknown[]) => values.slice(each.length).join() : () => "";
  return gathered(alone, send, { keyOf, ...READS });
}

/**
 * A write without rows that is sent once for all calls that wait at the same moment, in one transaction.
 * @param one the statement for one call
 * @param many the same for many: its parameters are the lists of theirs. It has to lock rows in one order, and takes the last of
 *   two members that write the same row
 */
export function batchedWrite(name: string, one: string, many: string): (...values: unknown[]) => Promise<void> {
  const alone = statement(name, {}, one);
  const together = statement(`${name}_batch`, {}, many);
  const send: Send<object> = async (members, landed) => {
    const [first] = members;
    await together(...(first?.values ?? []).map((_, index) => members.map(({ values }) => values[index])));
    landed();
    for (const { done } of members) done([]);
  };
  const write = gathered(alone, send, { keyOf: () => "", ...WRITES });
  return async (...values) => void (await write(...values));
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

function gathered<Row>(
  alone: Statement<Row>,
  send: Send<Row>,
  line: { keyOf(values: unknown[]): string; most: number; flights: number; another: number },
): Statement<Row> {
  const { keyOf, most, flights, another } = line;
  const waiting = new Map<string, Member<Row>[]>();
  let waitingCount = 0;
  let flying = 0;
  let leftAt = 0;
  let planned = false;
  let isClockSet = false;

  function mayDepart(): boolean {
    if (planned || waitingCount === 0 || flying >= flights) return false;
    return flying === 0 || waitingCount >= another || performance.now() - leftAt >= PATIENCE_MS;
  }

  function plan(): void {
    if (mayDepart()) {
      planned = true;
      // After everything that has arrived by now was read.
      setImmediate(depart);
    } else if (waitingCount > 0 && !planned && flying < flights) {
      setClock();
    }
  }

  function setClock(): void {
    if (isClockSet) return;
    isClockSet = true;
    setTimeout(() => {
      isClockSet = false;
      plan();
    }, PATIENCE_MS);
  }

  function depart(): void {
    planned = false;
    const [key, members] = waiting.entries().next().value ?? [];
    if (key === undefined || !members) return;
    // The rest goes to the end of the line, so that no group waits for ever behind a busy one.
    waiting.delete(key);
    const leaving = members.splice(0, most);
    if (members.length > 0) waiting.set(key, members);
    waitingCount -= leaving.length;
    flying += 1;
    leftAt = performance.now();
    let isFlying = true;
    const land = () => {
      if (isFlying) flying -= 1;
      isFlying = false;
    };
    const landed = () => {
      land();
      // Those who wait have waited long enough for others to join them.
      if (mayDepart()) depart();
    };
    void fly(leaving, landed).finally(() => {
      land();
      plan();
    });
    plan();
  }

  async function fly(members: Member<Row>[], landed: () => void): Promise<void> {
    if (members.length === 1) return tryAlone(members);
    try {
      await send(members, landed);
    } catch (error) {
      if (isOfTheData(error)) await tryAlone(members);
      else for (const { fail } of members) fail(error);
    }
  }

  async function tryAlone(members: Member<Row>[]): Promise<void> {
    for (const { values, done, fail } of members) await alone(...values).then(done, fail);
  }

  return (...values) => {
    // A visitor's may go to the replica, where nobody else's goes.
    if (isPublicRead()) return alone(...values);
    return new Promise((done, fail) => {
      const key = keyOf(values);
      const group = waiting.get(key);
      if (group) group.push({ values, done, fail });
      else waiting.set(key, [{ values, done, fail }]);
      waitingCount += 1;
      plan();
    });
  };
}

/** SQLSTATE classes of errors that one member's values cause: wrong data (22), a broken constraint (23). */
function isOfTheData(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^2[23]...$/.test(code);
}
