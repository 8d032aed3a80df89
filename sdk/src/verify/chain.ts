import { canonicalJson } from "../canonical-json.ts";
import { sha256Text } from "../sha256.ts";
import { type Bundle, isErased } from "./bundle.ts";

/**
 * Checks that the statements are one chain, each naming the one before it.
 * @returns the hash of each statement, what is wrong, and in which statements, by their place from 0; `unlinked` are those that do not
 * follow the statement before them, of which either may have been changed
 */
export function checkChain({ statements, chain, log }: Bundle) {
  const problems: string[] = [];
  const broken = new Set<number>();
  const unlinked = new Set<number>();
  const logs = [...log.previous, log];
  // Looked up once for each entry, and a file may name very many logs. A name that stands there twice keeps its first place.
  const places = new Map(logs.map(({ origin }, index): [string, number] => [origin, index]).reverse());
  let newestLog = 0;
  const hashes: string[] = [];
  statements.forEach((statement, index) => {
    const place = index + 1;
    const wrong = (problem: string) => {
      problems.push(problem);
      broken.add(index);
    };
    if (statement.n !== place) wrong(`Entry ${place} is numbered ${statement.n}.`);
    const previous = hashes.at(-1) ?? null;
    if (isErased(statement)) {
      hashes.push(statement.erased);
      return;
    }
    const hash = hashOf(statement);
    if (hash === undefined) wrong(`Entry ${place} has no canonical form.`);
    hashes.push(hash ?? "");
    if (statement.prev !== previous) {
      problems.push(`Entry ${place} does not follow the entry before it.`);
      unlinked.add(index);
    }
    if (statement.chain !== chain) wrong(`Entry ${place} belongs to ${statement.chain}, not to ${chain}.`);
    const from = places.get(statement.log) ?? -1;
    if (from < newestLog) wrong(`Entry ${place} was made for another log: ${statement.log}.`);
    else newestLog = from;
  });
  return { hashes, problems, broken, unlinked };
}

function hashOf(statement: unknown): string | undefined {
  try {
    return sha256Text(canonicalJson(statement));
  } catch {
    return undefined;
  }
}
