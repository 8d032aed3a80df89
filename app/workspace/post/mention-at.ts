/** A mention that is being typed: where its `@` is, and the name so far. */
type Typed = { from: number; name: string };

const LEAST = 2;
const MOST = 40;

/** The mention that ends at the caret, if one is being typed there: `@` at the start of a word, and at least two letters. Pure. */
export function mentionAt(text: string, caret: number): Typed | undefined {
  const before = text.slice(Math.max(0, caret - MOST - 2), caret);
  const [, name] = /(?:^|[\s(])@([\p{L}\p{N}][\p{L}\p{N}_-]*)$/u.exec(before) ?? [];
  if (!name || name.length < LEAST || name.length > MOST || name.startsWith("agt_")) return undefined;
  return { from: caret - name.length - 1, name };
}
