/** A JSON text's value, or the place at which it stops being JSON and why, in words for people. Lines and columns begin at 1. */
export type JsonReading = { ok: true; value: unknown } | { ok: false; line: number; column: number; message: string };

class Fault extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/**
 * Reads JSON as strictly as terms need it: what two readers could take for two things (a key that stands twice, half a character,
 * a number too large) is refused, although JSON.parse lets it pass.
 */
export function readJson(text: string): JsonReading {
  try {
    return { ok: true, value: new Reader(text).whole() };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const before = text.slice(0, error.at).split("\n");
    return { ok: false, line: before.length, column: (before.at(-1) ?? "").length + 1, message: error.message };
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: readonly [string, unknown][] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
const ESCAPES: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const MOST_LEVELS = 100;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    this.#skip();
    if (this.#at === this.#text.length) throw new Fault(0, "There is nothing here yet.");
    const value = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#fault(`The JSON ends before this, and ${this.#found()} follows.`);
    return value;
  }

  #skip(): void {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at += 1;
  }

  #fault(message: string, at = this.#at): Fault {
    return new Fault(at, message);
  }

  #found(): string {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.#text.length) return "the end";
    return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
      ? `“${character}”`
      : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  }

  #value(level: number): unknown {
    if (level > MOST_LEVELS) throw this.#fault("This is nested too deeply for terms.");
    const first = this.#text[this.#at];
    if (first === "{") return this.#object(level);
    if (first === "[") return this.#array(level);
    if (first === '"') return this.#string();
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #number(): number {
    NUMBER.lastIndex = this.#at;
    const [digits] = NUMBER.exec(this.#text) ?? [];
    if (digits === undefined) {
      const quote = "'‘’“”".includes(this.#text[this.#at] ?? "x") ? " Texts stand in straight double quotes." : "";
      throw this.#fault(`A value is expected here, and ${this.#found()} was found.${quote}`);
    }
    const value = Number(digits);
    if (!Number.isFinite(value)) throw this.#fault("This number is too large.");
    this.#at += digits.length;
    if (/[\d.]/.test(this.#text[this.#at] ?? ""))
      throw this.#fault(`${this.#found()} cannot go on a number like this.`);
    return value;
  }

  #object(level: number): Record<string, unknown> {
    const begin = this.#at;
    const entries = new Map<string, unknown>();
    this.#at += 1;
    for (this.#skip(); this.#text[this.#at] !== "}"; this.#skip()) {
      if (entries.size > 0) this.#comma("}", begin);
      if (this.#text[this.#at] !== '"') throw this.#fault(this.#noKey(begin, entries.size > 0));
      const place = this.#at;
      const key = this.#string();
      if (entries.has(key)) throw this.#fault(`The key “${key}” stands here a second time.`, place);
      this.#skip();
      if (this.#text[this.#at] !== ":")
        throw this.#fault(`A colon is expected after the key “${key}”, and ${this.#found()} was found.`);
      this.#at += 1;
      this.#skip();
      entries.set(key, this.#value(level + 1));
    }
    this.#at += 1;
    return Object.fromEntries(entries);
  }

  #noKey(begin: number, isAfterComma: boolean): string {
    if (this.#at >= this.#text.length) return this.#unclosed("{", begin);
    if (isAfterComma && this.#text[this.#at] === "}")
      return "After the comma another key is expected: take the comma away.";
    return `A key in straight double quotes is expected, and ${this.#found()} was found.`;
  }

  #array(level: number): unknown[] {
    const begin = this.#at;
    const values: unknown[] = [];
    this.#at += 1;
    for (this.#skip(); this.#text[this.#at] !== "]"; this.#skip()) {
      if (values.length > 0) {
        this.#comma("]", begin);
        if (this.#text[this.#at] === "]")
          throw this.#fault("After the comma another value is expected: take the comma away.");
      }
      if (this.#at >= this.#text.length) throw this.#fault(this.#unclosed("[", begin));
      values.push(this.#value(level + 1));
    }
    this.#at += 1;
    return values;
  }

  #comma(end: string, begin: number): void {
    if (this.#at >= this.#text.length) throw this.#fault(this.#unclosed(end === "}" ? "{" : "[", begin));
    if (this.#text[this.#at] !== ",")
      throw this.#fault(`A comma or ${end} is expected, and ${this.#found()} was found.`);
    this.#at += 1;
    this.#skip();
  }

  #unclosed(opening: string, begin: number): string {
    return `The text ends here, and the ${opening} of line ${this.#text.slice(0, begin).split("\n").length} is still open.`;
  }

  #string(): string {
    const begin = this.#at;
    let value = "";
    for (this.#at += 1; this.#text[this.#at] !== '"'; this.#at += 1) {
      const character = this.#text[this.#at];
      if (character === undefined) throw this.#fault("A text begins here, and its closing quote is missing.", begin);
      if (character < " ")
        throw this.#fault(
          character === "\n"
            ? "A line break within a text is written \\n."
            : "This control character must be written with a backslash.",
        );
      value += character === "\\" ? this.#escape() : character;
    }
    this.#at += 1;
    if (!value.isWellFormed()) throw this.#fault("This text holds half of a character.", begin);
    return value;
  }

  #escape(): string {
    this.#at += 1;
    const letter = this.#text[this.#at] ?? "";
    const plain = ESCAPES[letter];
    if (plain !== undefined) return plain;
    const digits = this.#text.slice(this.#at + 1, this.#at + 5);
    if (letter !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) {
      throw this.#fault('After a backslash one of " \\ / b f n r t is expected, or u and four hexadecimal digits.');
    }
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
}
