import type { Columns, RowOf } from "./columns.ts";
import { integer } from "./columns.ts";
import { isPublicRead } from "./replica.ts";
import { type Statement, statement } from "./statement.ts";

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
const WRITES = { most: 64, flights: 4, another: 64 } as const;
/** Those who wait leave when the batch before them has taken this long. */
const PATIENCE_MS = 20;
const MOST_LOCK_MS = 250;

type Member<Row> = { values: unknown[]; done(rows: Row[]): void; fail(error: unknown): void };

/** Sends one statement for some members, and says when its answer is there, before anybody looks at it. */
type Send<Row> = (members: Member<Row>[], landed: () => void) => Promise<void>;

/** How members come together: those with the same `groupOf`, of whom no two have the same `apart`. */
type Line = {
  groupOf?: ((values: unknown[]) => string) | undefined;
  apart?: ((values: unknown[]) => unknown) | undefined;
  most: number;
  flights: number;
  another: number;
};

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
  const together = sendTogether<Row>(`${name}_batch`, columns, textForMany(text, each), each.length);
  const send: Send<Row> = async (members, landed) => {
    const [only, other] = members;
    if (!only || other) return together(members, landed);
    const rows = await alone(...only.values);
    landed();
    only.done(rows);
  };
  const groupOf = all.length > 0 ? (values: unknown[]) => values.slice(each.length).join() : undefined;
  const run = gathered(send, { groupOf, ...READS });
  // A visitor's may go to the replica, where nobody else's goes.
  return (...values) => (isPublicRead() ? alone(...values) : run(...values));
}

/**
 * A write that is sent once for all calls that wait at the same moment, in one transaction. If that fails because of one member, each
 * member is tried alone.
 * @param name unique in the process, at most 54 bytes
 * @param columns what each row holds, beside `member`; `{}` for a write without rows
 * @param text its parameters are the lists of the members' values. It has to lock rows in one order; its rows say by `member`, from 1,
 *   whose they are
 * @param apart members for whom this is the same never travel together
 */
export function batchedWrite<const C extends Columns>(
  name: string,
  columns: C,
  text: string,
  apart?: (values: unknown[]) => unknown,
): Statement<RowOf<C>> {
  return gathered(sendTogether<RowOf<C>>(name, columns, text), { apart, ...WRITES });
}

/**
 * A part of the WITH of a batched write, from which whatever takes locks has to read: several members together wait for a lock only so
 * long before each is tried alone, so that a row that somebody holds keeps nobody waiting who does not need it.
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
  return async (members, landed) => {
    const values = members[0]?.values ?? [];
    const count = own ?? values.length;
    const lists = values.slice(0, count).map((_, index) => members.map((member) => member.values[index]));
    const rows = await together(...lists, ...values.slice(count));
    landed();
    const answers = members.map((): Row[] => []);
    for (const { member, ...row } of rows as { member: number }[]) answers[member - 1]?.push(row as Row);
    for (const [index, { done }] of members.entries()) done(answers[index] ?? []);
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

function gathered<Row>(send: Send<Row>, { groupOf, apart, most, flights, another }: Line): Statement<Row> {
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
    const [group, members] = waiting.entries().next().value ?? [];
    if (group === undefined || !members) return;
    // The rest goes to the end of the line, so that no group waits for ever behind a busy one.
    waiting.delete(group);
    const { leaving, staying } = chosen(members);
    if (staying.length > 0) waiting.set(group, staying);
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

  function chosen(members: Member<Row>[]) {
    if (!apart) return { leaving: members.slice(0, most), staying: members.slice(most) };
    const leaving: Member<Row>[] = [];
    const staying: Member<Row>[] = [];
    const taken = new Set<unknown>();
    for (const member of members) {
      const mark = apart(member.values);
      const mayLeave = leaving.length < most && !taken.has(mark);
      (mayLeave ? leaving : staying).push(member);
      taken.add(mark);
    }
    return { leaving, staying };
  }

  async function fly(members: Member<Row>[], landed: () => void): Promise<void> {
    try {
      await send(members, landed);
    } catch (error) {
      landed();
      if (members.length > 1 && isOfAMember(error))
        await Promise.all(members.map((member) => send([member], landed).catch(member.fail)));
      else for (const { fail } of members) fail(error);
    }
  }

  return (...values) =>
    new Promise((done, fail) => {
      const group = groupOf?.(values) ?? "";
      const members = waiting.get(group);
      if (members) members.push({ values, done, fail });
      else waiting.set(group, [{ values, done, fail }]);
      waitingCount += 1;
      plan();
    });
}

/**
 * SQLSTATEs that one member may have caused: wrong data (22…), a broken constraint (23…), a deadlock (40…), a lock that somebody holds for
 * long (55P03). PostgreSQL has undone everything by then.
 */
function isOfAMember(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^(22...|23...|40...|55P03)$/.test(code);
}
