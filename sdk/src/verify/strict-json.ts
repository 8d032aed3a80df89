/**
 * Parses JSON in which no object names a member twice: readers would disagree about which of the two counts.
 * @throws SyntaxError
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // The text is JSON from here on, so a string is a key exactly if a colon follows. Read character by character, because a regular
  // expression runs out of stack on a long string.
  const open: (Set<string> | null)[] = [];
  let last = "";
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(null);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      last = text.slice(at, end);
      at = end - 1;
    } else if (character === ":") {
      const name = JSON.parse(last) as string;
      const names = open.at(-1);
      if (names?.has(name)) throw new SyntaxError(`The member "${name}" stands twice in one object.`);
      names?.add(name);
    }
  }
  return value;
}

/** The place after the closing quotation mark of the string that begins there. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
