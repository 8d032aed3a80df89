import type { QueryFn } from "#lib/db/connection.ts";

/** What one check found. `problems` names up to `MOST_PROBLEMS` of them. */
export type Finding = { check: string; ok: boolean; checked: number; problems: string[] };

type Check = (query: QueryFn) => Promise<Finding>;

const MOST_PROBLEMS = 10;

/**
 * A check by statements that count the rows, and list those that are wrong.
 * @param count returns `checked`
 * @param wrong returns a sentence as `problem` for each wrong row; it gets a limit
 */
export function countingCheck(check: string, count: string, wrong: string): Check {
  return async (query) => {
    const [row] = await query<{ checked: number }>(count);
    const problems = await query<{ problem: string }>(`${wrong} LIMIT ${MOST_PROBLEMS}`);
    return finding(
      check,
      row?.checked ?? 0,
      problems.map(({ problem }) => problem),
    );
  };
}

export function finding(check: string, checked: number, problems: string[]): Finding {
  return { check, ok: problems.length === 0, checked: Number(checked), problems: problems.slice(0, MOST_PROBLEMS) };
}
