import { canonicalJson } from "../canonical-json.ts";
import { sha256Text } from "../sha256.ts";
import { type Bundle, isErased } from "./bundle.ts";

/**
 * Checks that the statements are one chain, each naming the one before it.
 * @returns the hash of each statement, and what is wrong
 */
export function checkChain({ statements, chain, log }: Bundle): { hashes: string[]; problems: string[] } {
  const problems: string[] = [];
  const logs = [...log.previous, log];
  // Looked up once for each entry, and a file may name very many logs. A name that stands there twice keeps its first place.
  const places = new Map(logs.map(({ origin }, index): [string, number] => [origin, index]).reverse());
  let newestLog = 0;
  const hashes: string[] = [];
  statements.forEach((statement, index) => {
    const place = index + 1;
    if (statement.n !== place) problems.push(`Entry ${place} is numbered ${statement.n}.`);
    const previous = hashes.at(-1) ?? null;
    if (isErased(statement)) {
      hashes.push(statement.erased);
      return;
    }
    hashes.push(hashOf(statement, problems, place));
    if (statement.prev !== previous) problems.push(`Entry ${place} does not follow the entry before it.`);
    if (statement.chain !== chain) problems.push(`Entry ${place} belongs to ${statement.chain}, not to ${chain}.`);
    const from = places.get(statement.log) ?? -1;
    if (from < newestLog) problems.push(`Entry ${place} was made for another log: ${statement.log}.`);
    else newestLog = from;
  });
  return { hashes, problems };
}

function hashOf(statement: unknown, problems: string[], place: number): string {
  try {
    return sha256Text(canonicalJson(statement));
  } catch {
    problems.push(`Entry ${place} has no canonical form.`);
    return "";
  }
}
