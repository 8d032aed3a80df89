/**
 * Parses JSON in which no object names a member twice: readers would disagree about which of the two counts.
 * @throws SyntaxError
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // The text is JSON from here on, so a string is a key exactly if a colon follows.
  const open: (Set<string> | null)[] = [];
  for (const [token, key] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else if (key !== undefined) {
      const name = JSON.parse(key) as string;
      const names = open.at(-1);
      if (names?.has(name)) throw new SyntaxError(`The member "${name}" stands twice in one object.`);
      names?.add(name);
    }
  }
  return value;
}
